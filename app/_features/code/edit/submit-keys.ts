import type { KeyboardEvent } from 'react'

/**
 * Submits a form on Ctrl+S and Ctrl+Enter, or with Command, wherever the focus is in it. The form must handle this in the
 * capture phase, because the text editor has another use for one of them.
 */
export function submitOnKeys(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, ctrlKey, metaKey, altKey } = event
  if (!(ctrlKey || metaKey) || altKey || (key !== 's' && key !== 'Enter')) return
  event.preventDefault()
  event.stopPropagation()
  event.currentTarget.requestSubmit()
}
