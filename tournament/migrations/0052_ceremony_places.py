from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0051_disqualified_entries'),
    ]

    operations = [
        migrations.AddField(
            model_name='division',
            name='ceremony_place',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='place in the ceremony'),
        ),
        migrations.AddConstraint(
            model_name='division',
            constraint=models.CheckConstraint(condition=models.Q(('ceremony_place__gte', 1), ('ceremony_place__lte', 50)), name='division_ceremony_place_in_range'),
        ),
    ]
