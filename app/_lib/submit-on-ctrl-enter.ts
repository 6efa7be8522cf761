import type { KeyboardEvent } from 'react'

/** In a text of several lines, where Enter begins the next one, Ctrl or Command with Enter sends the form. */
export function submitOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
