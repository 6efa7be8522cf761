const typedInto =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable], [role=menu]'
const dialogs = '[role=dialog], [role=alertdialog], dialog[open]'

export const isDialogOpen = (): boolean => document.querySelector(dialogs) !== null

/** Whether the viewer wants single keys to do nothing, see `switchShortcuts`. */
export const areShortcutsOff = (): boolean => document.documentElement.dataset.shortcuts === 'off'

/** Whether a pressed key may be a shortcut of the page: alone, outside of fields and menus, and with no dialog open. */
export function isShortcut(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.defaultPrevented || event.isComposing || areShortcutsOff()) return false
  if (event.ctrlKey || event.metaKey || event.altKey || isDialogOpen()) return false
  return !(target instanceof Element && target.closest(typedInto))
}
