import type { ReactNode } from 'react'
import form from './form.module.css'
import { Button } from './primer'

interface SaveActionsProps {
  /** On the button. */
  words: string
  unsaved: boolean
  saving: boolean
}

/**
 * The end of a form that changes what is there: it can be sent once something differs, and says so. A disabled button
 * would lose the keyboard once all is saved, so this one stays and the form takes no notice of it.
 */
export function SaveActions({ words, unsaved, saving }: SaveActionsProps): ReactNode {
  return (
    <div className={form.actions}>
      <Button type="submit" variant="primary" aria-disabled={!unsaved || undefined} loading={saving}>
        {words}
      </Button>
      <span className={form.hint} role="status">
        {unsaved ? 'You have unsaved changes.' : ''}
      </span>
    </div>
  )
}
