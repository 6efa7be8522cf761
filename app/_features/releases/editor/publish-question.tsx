'use client'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { isUnderWay, type Upload, type UploadState } from '@/app/_features/releases/uploads/upload'
import { visibleLine } from '@/app/_lib/visible-text'
import styles from './editor.module.css'

const words: Record<UploadState, string> = {
  waiting: 'is on its way',
  asking: 'has the name of another file',
  sending: 'is on its way',
  paused: 'is paused',
  away: 'waits for the site',
  failed: 'failed',
  refused: 'was refused',
  interrupted: 'was interrupted',
}

interface PublishQuestionProps {
  /** What the release would be published without. */
  missing: readonly Upload[]
  isSaving: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before a release is published while files of it are not attached. */
export function PublishQuestion({ missing, isSaving, onConfirm, onClose }: PublishQuestionProps): ReactNode {
  return (
    <ConfirmDialog
      title="Publish without all files?"
      confirm="Publish without them"
      pending={isSaving}
      failure={undefined}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>These files are not attached. Who downloads the release before they are will miss them:</p>
      <ul className={styles.missing}>
        {missing.map(({ key, name, state }) => (
          <li key={key}>
            <strong>{visibleLine(name)}</strong> {words[state]}
          </li>
        ))}
      </ul>
      {missing.some(isUnderWay) ? <p>What is on its way goes on while this page stays open.</p> : null}
    </ConfirmDialog>
  )
}
