// Whose a key is: the focused element's, if it acts on that key itself, or the game's.

/** The keys that scroll a page. */
const SCROLLING = / (Arrow|Page|Home|End|Space)/;

/**
 * The keys on which an element acts itself, by its role, type or name: all of one in which letters choose; Enter of a link; Space and Enter
 * of a button; …
 */
const ACTING =
  / (\w*[^k]box|spinbutton|select) | (a|area|link) .* Enter| (button|submit|reset|image|file|color|summary) .* (Space|Enter)| (checkbox|switch|radio) .* Space| radio .* Arrow| (range|slider) .* (Arrow|Page|Home|End)| (audio|video|tab|option|menuitem\w*) .* (Arrow|Page|Home|End|Space|Enter)/i;

/** Whether an element acts on a key itself; without a key, whether it takes text, and with it all keys. Of a component whose tree is closed,
 * the part that has the focus cannot be known. */
function actsOn(target: EventTarget | null | undefined, key: string): boolean {
  const element = target as HTMLInputElement | null | undefined;
  if (!element?.matches) return false;
  return (
    element.matches(":read-write") ||
    (/-/.test(element.tagName) && !element.getAttribute("tabindex")) ||
    ACTING.test(` ${element.getAttribute("role")} ${element.type} ${element.tagName} ${key}`)
  );
}

/** A key by its place, and by what it means, which differs on a number pad. */
const nameOf = ({ code, key }: KeyboardEvent): string => ` ${code} ${key}`;

/** Whether an event arrived where text is typed. The element may be within a component with a tree of its own. */
export const isTyping = (event: Event): boolean => actsOn(event.composedPath()[0], "");

/** Whether a key goes to the focused element and not to the game. */
export const isOfElement = (event: KeyboardEvent): boolean => actsOn(event.composedPath()[0], nameOf(event));

/** Whether a key of the game's would scroll the page. */
export const wouldScroll = (event: KeyboardEvent): boolean =>
  SCROLLING.test(nameOf(event)) && !(event.altKey || event.ctrlKey || event.metaKey || isOfElement(event));

/** Takes the focus from a button or link, on which the next Enter would be a click. */
export function leaveButton(): void {
  const focused = document.activeElement as HTMLElement;
  if (actsOn(focused, " Enter") && !actsOn(focused, "")) focused.blur();
}
