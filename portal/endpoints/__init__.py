"""Model endpoints: whose they are, what they are used for, and the one way the apps reach a model.

`access` says which endpoints a person may use, `queries` reads, `actions` writes, `calling` makes calls:

    caller = Caller(person.pk, endpoint.pk, Purpose.TRIAL, about=f"preset:{preset.pk}", group=run_id)
    reply = await calling.reply(caller, ask)

Every call is stored as one `ModelCall`, however it ends.
"""
