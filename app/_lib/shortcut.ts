const typedInto =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable], [role=menu]'
const dialogs = '[role=dialog], [role=alertdialog], dialog[open]'

export const isDialogOpen = (): boolean => document.querySelector(dialogs) !== null

/** Whether the viewer has turned off single-key shortcuts (`switchShortcuts`). */
export const areShortcutsOff = (): boolean => document.documentElement.dataset.shortcuts === 'off'

/**
 * Whether a key press can be a shortcut of the page: a single key, outside of fields and menus, and with no
 * open dialog.
 */
export function isShortcut(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.defaultPrevented || event.isComposing || areShortcutsOff()) return false
  if (event.ctrlKey || event.metaKey || event.altKey || isDialogOpen()) return false
  return !(target instanceof Element && target.closest(typedInto))
}
