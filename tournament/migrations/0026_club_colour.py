from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0025_contention")]

    operations = [
        migrations.AddField(
            model_name="organiser",
            name="colour",
            field=models.CharField(default="#0d6b52", max_length=7, verbose_name="colour"),
        ),
    ]
