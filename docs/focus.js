// A block of code or a table that scrolls can be scrolled with the keyboard.
for (const block of document.querySelectorAll("pre > code, .table-wrapper")) block.tabIndex = 0;
