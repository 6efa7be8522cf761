'use client'
import type { ReactNode } from 'react'
import type { SaveFormState } from '@/app/_lib/use-save-form'
import { FormBanner } from './fields'
import styles from './form.module.css'
import { Button } from './primer'
import { SaveConflicts } from './save-conflicts'

interface SaveFormProps {
  edit: SaveFormState
  /** Above the reason why nothing was saved. */
  failed: string
  /** On the button. */
  action: string
  /** Not in the width of a line of text. */
  wide?: boolean
  /** The fields. */
  children: ReactNode
}

/**
 * A form that changes what is there: it can be sent once something differs, and says so. A disabled button would lose
 * the keyboard once all is saved, so this one stays and the form takes no notice of it.
 */
export function SaveForm({ edit, failed, action, wide, children }: SaveFormProps): ReactNode {
  const { submit, unsaved, saving, problem, conflicts, labels, takeTheirs } = edit
  return (
    <form
      className={wide ? styles.form : `${styles.form} ${styles.narrow}`}
      onSubmit={submit}
      noValidate
      method="post"
    >
      <FormBanner title={failed} message={problem} />
      <SaveConflicts conflicts={conflicts} labels={labels} onTake={takeTheirs} />
      {children}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" aria-disabled={!unsaved || undefined} loading={saving}>
          {action}
        </Button>
        <span className={styles.hint} role="status">
          {unsaved ? 'You have unsaved changes.' : ''}
        </span>
      </div>
    </form>
  )
}
