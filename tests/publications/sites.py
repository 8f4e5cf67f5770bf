"""Take files from a publisher's site that offers each in a zip."""

import hashlib
import io
import urllib.request
import zipfile
from collections.abc import Iterator

from tests.publications.archives import Site
from tests.publications.errors import PublicationError

SECONDS = 60


def read_site(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each file.

    Raises:
        PublicationError: the site does not answer, or a file is not the one that the tests were written from.
    """
    for title, sha256 in site.files.items():
        address = site.address.format(title=title)
        try:
            with urllib.request.urlopen(address, timeout=SECONDS) as answer:
                content = zipfile.ZipFile(io.BytesIO(answer.read())).read(f"{title}.xml")
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            raise PublicationError(f"{address}: {error}") from error
        if hashlib.sha256(content).hexdigest() != sha256:
            raise PublicationError(f"{address} is not the file that the tests were written from")
        yield f"{title}.xml", content
