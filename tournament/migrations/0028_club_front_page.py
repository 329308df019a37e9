import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0027_measure_of_the_glass")]

    operations = [
        migrations.AddField(
            model_name="organiser",
            name="word",
            field=models.TextField(blank=True, default="", max_length=600, verbose_name="a word of its own"),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name="ClubPicture",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("use", models.CharField(choices=[("logo", "logo of the club"), ("photo", "picture of the club")], max_length=10)),
                ("name", models.CharField(max_length=80, unique=True, verbose_name="file")),
                ("content_type", models.CharField(max_length=20)),
                ("size", models.PositiveIntegerField()),
                ("width", models.PositiveIntegerField()),
                ("height", models.PositiveIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                (
                    "organiser",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pictures",
                        to="tournament.organiser",
                    ),
                ),
            ],
            options={
                "verbose_name": "picture of a club",
                "verbose_name_plural": "pictures of clubs",
                "constraints": [
                    models.UniqueConstraint(fields=("organiser", "use"), name="club_picture_once"),
                    models.CheckConstraint(
                        condition=models.Q(("use__in", ["logo", "photo"])), name="club_picture_use_known"
                    ),
                ],
            },
        ),
    ]
