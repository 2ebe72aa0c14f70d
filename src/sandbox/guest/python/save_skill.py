"""`save_skill` of a program: what it says is the host's to check."""


def create_save_skill(calls):
    def save_skill(skill=None, *rest, **more):
        """Takes `{"name", "description", "code", "tags"}`, or the same as keyword arguments."""
        if rest:
            raise TypeError("save_skill takes keyword arguments: write save_skill(name=…, description=…, code=…, tags=[…])")
        asked = {**skill, **more} if isinstance(skill, dict) else {**more} if skill is None else {"name": skill, **more}
        return calls.call_own("saveSkill", {key: value for key, value in asked.items() if value is not None})

    save_skill.__qualname__ = "save_skill"
    return save_skill
