from django.db import migrations

from tournament.basics.names import make_sort_key


def sort_without_titles(apps, schema_editor):
    """“Dr. Weiß, Änne” stands under W. Journals keep what earlier versions wrote; what follows from a name is read
    anew there (`complete_snapshot`)."""
    players = apps.get_model("tournament", "Player").objects.using(schema_editor.connection.alias)
    for player in players.only("name", "sort_name").iterator():
        if (sort_name := make_sort_key(player.name)) != player.sort_name:
            players.filter(pk=player.pk).update(sort_name=sort_name)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0048_who_is_who")]

    operations = [migrations.RunPython(sort_without_titles, migrations.RunPython.noop, elidable=True)]
