from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0045_push_origins'),
    ]

    operations = [
        migrations.AddField(
            model_name='contact',
            name='origin',
            field=models.CharField(blank=True, default='', max_length=32),
        ),
    ]
