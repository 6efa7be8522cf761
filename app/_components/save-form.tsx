'use client'
import type { ReactNode } from 'react'
import type { SaveFormState } from '@/app/_lib/use-save-form'
import { FormBanner } from './fields'
import styles from './form.module.css'
import { Button } from './primer'
import { SaveConflicts } from './save-conflicts'

interface SaveFormProps {
  edit: SaveFormState
  /** Title above the reason why saving failed. */
  failed: string
  /** Label of the button. */
  action: string
  /** Whether the form is wider than a line of text. */
  wide?: boolean
  /** The fields. */
  children: ReactNode
}

/**
 * Form to edit saved values. It can be submitted, and warns of unsaved changes, once a value differs. The
 * button is never disabled, because it would then lose the focus after saving. Without changes, the form
 * ignores the button.
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
