import type { ReactNode } from 'react'
import form from './form.module.css'
import { Button } from './primer'

interface SaveActionsProps {
  /** On the button. */
  words: string
  unsaved: boolean
  saving: boolean
}

/** The end of a form that changes what is there: it can be sent once something differs, and says so. */
export function SaveActions({ words, unsaved, saving }: SaveActionsProps): ReactNode {
  return (
    <div className={form.actions}>
      <Button type="submit" variant="primary" disabled={!unsaved} loading={saving}>
        {words}
      </Button>
      <span className={form.hint} role="status">
        {unsaved ? 'You have unsaved changes.' : ''}
      </span>
    </div>
  )
}
