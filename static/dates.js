/* A calendar beside each field for a day: what is picked in it is typed into the field, a time of day behind it stays.
   Without a script the field is typed into. */
(() => {
  "use strict";

  const language = document.documentElement.lang;
  const written = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language,
    { day: "2-digit", month: "2-digit", year: "numeric", timeZone: "UTC" });

  const offer = (field) => {
    const calendar = document.createElement("input");
    if (!calendar.showPicker || field.closest(".date-row")) return;
    calendar.type = "date";
    calendar.tabIndex = -1;
    calendar.ariaHidden = "true";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn-sm";
    button.textContent = field.dataset.date;
    const row = document.createElement("div");
    row.className = "date-row";
    field.replaceWith(row);
    row.append(field, calendar, button);

    button.addEventListener("click", () => {
      const parts = field.value.match(/^(\d{1,2})\D+(\d{1,2})\D+(\d{4})/);
      calendar.value = parts ? `${parts[3]}-${parts[2].padStart(2, "0")}-${parts[1].padStart(2, "0")}` : "";
      calendar.showPicker();
    });
    calendar.addEventListener("change", () => {
      if (!calendar.value) return;
      const time = field.value.match(/\s\d{1,2}[:.]\d{2}.*$/)?.[0] || "";
      field.value = written.format(calendar.valueAsDate) + time;
      field.focus();
    });
  };

  const offerAll = () => document.querySelectorAll("input[data-date]").forEach(offer);
  offerAll();
  document.addEventListener("htmx:afterSettle", offerAll);
})();
