from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0023_own_criterion_of_a_knockout")]

    operations = [
        migrations.AddField(
            model_name="division",
            name="announced",
            field=models.JSONField(
                blank=True, default=dict, verbose_name="pairs announced before the last result"
            ),
        ),
    ]
