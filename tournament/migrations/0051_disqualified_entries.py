
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0050_tables_of_divisions'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='disqualified',
            field=models.BooleanField(default=False, verbose_name='disqualified from the event'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(('disqualified', False), ('withdrawn_after__isnull', False), _connector='OR'), name='entry_disqualified_is_out'),
        ),
    ]
