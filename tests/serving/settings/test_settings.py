"""Settings: read from the environment in one place, each documented, each refused with a clear error."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from serving.settings.settings import Settings, SettingsError
from serving.settings.table import TABLE, settings_table


def test_defaults_are_those_of_the_record():
    assert Settings.from_env({}) == Settings()


def test_every_field_is_in_the_table_and_in_the_document():
    names = [setting.name.lower() for setting in TABLE]
    assert sorted(names) == sorted(field.name for field in fields(Settings))
    document = settings_table()
    assert all(f"| `{setting.variable}` |" in document for setting in TABLE)


def test_values_are_parsed():
    settings = Settings.from_env(
        {
            "LAW_SNAPSHOTS": "elsewhere",
            "LAW_PORT": "9000",
            "LAW_BASE_URL": "https://law.example/api-host/",
            "LAW_TRUSTED_PROXIES": "10.0.0.1, 10.1.0.0/16",
            "LAW_POLL_SECONDS": "0.25",
            "LAW_LOG_LEVEL": "WARNING",
        }
    )
    assert settings.snapshots == Path("elsewhere")
    assert settings.port == 9000
    assert settings.base_url == "https://law.example/api-host"
    assert settings.trusted_proxies == ("10.0.0.1", "10.1.0.0/16")
    assert settings.poll_seconds == 0.25
    assert settings.log_level == "warning"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LAW_PORT", "0"),
        ("LAW_PORT", "٣"),
        ("LAW_PORT", "eighty"),
        ("LAW_WORKERS", "-1"),
        ("LAW_POLL_SECONDS", "0"),
        ("LAW_POLL_SECONDS", "nan"),
        ("LAW_BASE_URL", "law.example"),
        ("LAW_BASE_URL", "https://law.example/?q=1"),
        ("LAW_TRUSTED_PROXIES", "my-proxy"),
        ("LAW_TRUSTED_PROXIES", "10.0.0.256"),
        ("LAW_TRUSTED_PROXIES", "10.0.0.1/8"),
        ("LAW_MAX_CONNECTIONS", "7"),
        ("LAW_CONNECTIONS_PER_ADDRESS", "0"),
        ("LAW_HEADER_SECONDS", "0"),
        ("LAW_LOG_LEVEL", "loud"),
        ("LAW_HOST", "a host"),
        ("LAW_SNAPSHOTS", ""),
        ("LAW_DATABASE_URL", "sqlite:///"),
        ("LAW_DATABASE_URL", "sqlite:///:memory:"),
        ("LAW_DATABASE_URL", "mysql://somewhere/law"),
        ("LAW_DURABILITY", "some"),
        ("LAW_GEOCODER", "https://geocoding.geo.census.gov"),
        ("LAW_GEOCODER", "census:"),
        ("LAW_GEOCODER", "census:geocoding.geo.census.gov"),
        ("LAW_GEOCODER", "google:https://maps.example"),
        ("LAW_GEOCODER", "nominatim:http://nominatim.example"),
        ("LAW_GEOCODER", "nominatim:http://10.0.0.1"),
        ("LAW_GEOCODER", "nominatim:https://user:pw@nominatim.example"),
        ("LAW_GEOCODER", "nominatim:https://nominatim.example/?key=x"),
        ("LAW_GEOCODER", "nominatim:https://nominatim.example/#x"),
        ("LAW_GEOCODER", "nominatim:https://nominatim.example:0"),
        ("LAW_GEOCODER", "nominatim:https://nominatim.example:port"),
        ("LAW_GEOCODER", "nominatim:https://nomi natim.example"),
        ("LAW_GEOCODER", "nominatim:file:///etc/passwd"),
        ("LAW_SMTP_URL", "mail.example"),
        ("LAW_MAIL_FROM", "nobody"),
        ("LAW_STRIPE_SECRET_KEY", "sk_test_alone"),
        ("LAW_SMTP_URL", "smtp://mail.example"),
        ("LAW_SECURITY_CONTACT", "security@law.example"),
        ("LAW_METRICS_ADDRESS", "9100"),
        ("LAW_METRICS_ADDRESS", "127.0.0.1:0"),
        ("LAW_METRICS_ADDRESS", "127.0.0.1:8000"),
    ],
)
def test_bad_value_is_refused_by_its_name(variable, value):
    with pytest.raises(SettingsError, match=variable):
        Settings.from_env({variable: value})


@pytest.mark.parametrize("address", ["127.0.0.1:9100", "[::1]:9100", "monitor.internal:9100"])
def test_the_operators_address_has_a_port(address):
    assert Settings.from_env({"LAW_METRICS_ADDRESS": address}).metrics_port == 9100
    assert Settings().metrics_port is None


@pytest.mark.parametrize(
    ("value", "setting"),
    [
        ("", None),
        ("census:https://geocoding.geo.census.gov", "census:https://geocoding.geo.census.gov"),
        ("nominatim:https://nominatim.example:8443/osm/", "nominatim:https://nominatim.example:8443/osm"),
        ("nominatim:http://127.0.0.1:8080", "nominatim:http://127.0.0.1:8080"),
        ("nominatim:http://[::1]:8080", "nominatim:http://[::1]:8080"),
        ("nominatim:http://localhost", "nominatim:http://localhost"),
    ],
)
def test_a_geocoder_is_of_a_kind_and_reached_in_private(value, setting):
    settings = Settings.from_env({"LAW_GEOCODER": value})
    assert settings.geocoder == setting
    assert Settings.from_env(settings.environment()) == settings


def test_unknown_variable_is_refused():
    with pytest.raises(SettingsError, match="LAW_PROT"):
        Settings.from_env({"LAW_PROT": "8000"})


def test_settings_survive_the_environment():
    settings = replace(Settings(), port=9001, base_url=None, trusted_proxies=(), pinned_snapshots=0)
    environment = settings.environment()
    assert Settings.from_env(environment) == settings


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::1", "http://[::1]:8000"),
        ("law.internal", "http://law.internal:8000"),
    ],
)
def test_public_url_without_a_base_url_is_host_and_port(host, url):
    assert replace(Settings(), host=host).public_url == url
    assert replace(Settings(), host=host, base_url="https://law.example").public_url == "https://law.example"


def test_variables_of_the_build_do_not_disturb_a_server() -> None:
    settings = Settings.from_env({"LAW_WORKSPACE": "data", "LAW_DATASETS": "datasets", "LAW_PORT": "8001"})
    assert settings.port == 8001


def test_a_server_opens_folders_and_says_so_of_a_url() -> None:
    with pytest.raises(SettingsError, match=r"LAW_SNAPSHOTS.*a folder of this machine.*lawctl mirror pull"):
        Settings.from_env({"LAW_SNAPSHOTS": "s3://law/snapshots"})


def test_secrets_are_shown_neither_by_the_record_nor_by_a_refusal():
    secrets = {
        "LAW_DATABASE_URL": "postgresql://law:hush-1@db/law",
        "LAW_STRIPE_SECRET_KEY": "hush-2",
        "LAW_STRIPE_WEBHOOK_SECRET": "hush-3",
        "LAW_SMTP_URL": "smtp://law:hush-4@mail",
        "LAW_MAIL_FROM": "law@example.org",
    }
    assert "hush" not in repr(Settings.from_env(secrets))
    for variable, wrong in (
        ("LAW_DATABASE_URL", "mysql://u:hush@db"),
        ("LAW_SMTP_URL", "http://u:hush@mail"),
    ):
        with pytest.raises(SettingsError, match=variable) as refused:
            Settings.from_env({**secrets, variable: wrong})
        assert "hush" not in refused.value.message


def test_paths_become_absolute_for_a_process_elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = Settings().absolute()
    assert settings.snapshots == tmp_path / "snapshots"
    assert settings.database_url == f"sqlite:///{tmp_path}/data/accounts/accounts.sqlite"
    url = "postgresql://db/law"
    assert replace(Settings(), database_url=url).absolute().database_url == url


def test_short_name_of_the_postgresql_scheme_is_understood():
    assert Settings.from_env({"LAW_DATABASE_URL": "postgres://db/law"}).database_url == "postgresql://db/law"
