from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0021_photos_of_players")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="national",
            field=models.BooleanField(default=False, verbose_name="national tournament"),
        ),
    ]
