from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0022_national_tournaments")]

    operations = [
        migrations.RemoveConstraint(model_name="notrecorded", name="not_recorded_fact_known"),
        migrations.AddField(
            model_name="knockout",
            name="own_criterion",
            field=models.CharField(blank=True, max_length=80, verbose_name="own criterion"),
        ),
        migrations.AddField(
            model_name="matchlot",
            name="by_own_criterion",
            field=models.BooleanField(default=False, verbose_name="by the announcement’s own criterion"),
        ),
        migrations.AlterField(
            model_name="notrecorded",
            name="fact",
            field=models.CharField(
                choices=[
                    ("most_bingos", "plays of all seven tiles"),
                    ("playing_time", "time used"),
                    ("highest_move", "best plays"),
                    ("own", "the announcement’s own criterion"),
                ],
                max_length=20,
                verbose_name="what was not recorded",
            ),
        ),
        migrations.AddConstraint(
            model_name="notrecorded",
            constraint=models.CheckConstraint(
                condition=models.Q(("fact__in", ["most_bingos", "playing_time", "highest_move", "own"])),
                name="not_recorded_fact_known",
            ),
        ),
    ]
