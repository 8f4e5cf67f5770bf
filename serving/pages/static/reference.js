// Shows the OpenAPI document of this service, in the colours that the reader's system prefers.
"use strict";

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
follow();
dark.addEventListener("change", follow);

async function show() {
  const answer = await fetch("/api/v1/openapi.json");
  if (!answer.ok) throw new Error(`The document was answered with ${answer.status}.`);
  const spec = await answer.json();
  // Calls go to where this page came from, whatever address the service is known by elsewhere.
  spec.servers = [{ url: window.location.origin, description: "This service." }];
  window.SwaggerUIBundle({
    spec,
    dom_id: "#reference",
    validatorUrl: null,
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    persistAuthorization: false,
  });
}

show().catch((error) => {
  const said = document.createElement("p");
  said.className = "failed";
  said.setAttribute("role", "alert");
  said.textContent = `The reference cannot be shown: ${error.message} Load the page again.`;
  document.getElementById("reference").replaceChildren(said);
});
