/* A photo from a phone is made smaller before it is sent: a hall shares one radio channel, and a sheet can be read at
   this size. Where a browser cannot, or the picture is none, the file is sent as it is. */
(() => {
  "use strict";

  const LONGEST = 2000; // pixels
  const QUALITY = 0.8;
  const SMALL = 500_000; // bytes: not worth the trouble

  async function smaller(file) {
    if (file.size <= SMALL) return file;
    try {
      const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
      const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(picture.width * scale);
      canvas.height = Math.round(picture.height * scale);
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
      return blob && blob.size < file.size ? new File([blob], file.name, { type: "image/jpeg" }) : file;
    } catch {
      return file;
    }
  }

  async function shrink(form) {
    for (const input of form.querySelectorAll("input[type=file]")) {
      const kept = new DataTransfer();
      for (const file of input.files) kept.items.add(await smaller(file));
      input.files = kept.files;
    }
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches(".photo-form")) return;
    event.preventDefault();
    if (form.dataset.sent) return; // pressed twice
    form.dataset.sent = "yes";
    try {
      await shrink(form);
    } finally {
      form.submit();
    }
  });

  // Back on the page: it may be sent again.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll(".photo-form")) delete form.dataset.sent;
  });
})();
