'use client'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { isUnderWay, type Upload, type UploadState } from '@/app/_features/releases/uploads/upload'
import { visibleLine } from '@/app/_lib/visible-text'
import styles from './editor.module.css'

const labels: Record<UploadState, string> = {
  waiting: 'is waiting to upload',
  asking: 'has the same name as another file, which needs a decision',
  sending: 'is uploading',
  paused: 'is paused',
  away: 'is waiting for the connection',
  failed: 'failed',
  refused: 'was refused',
  interrupted: 'was interrupted',
  attached: 'is attached',
}

interface PublishQuestionProps {
  /** Files that would be missing from the published release. */
  missing: readonly Upload[]
  isSaving: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before a release is published while some of its files are not attached. */
export function PublishQuestion({ missing, isSaving, onConfirm, onClose }: PublishQuestionProps): ReactNode {
  const isComplete = missing.length === 0
  return (
    <ConfirmDialog
      title={isComplete ? 'Publish with all files?' : 'Publish without all files?'}
      confirm={isComplete ? 'Publish release' : 'Publish without them'}
      pending={isSaving}
      failure={undefined}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {isComplete ? (
        <p>All files have been attached in the meantime.</p>
      ) : (
        <>
          <p>These files are not attached yet, so anyone who downloads the release now will miss them:</p>
          <ul className={styles.missing}>
            {missing.map(({ key, name, state }) => (
              <li key={key}>
                <strong>
                  <bdi>{visibleLine(name)}</bdi>
                </strong>{' '}
                {labels[state]}
              </li>
            ))}
          </ul>
          {missing.some(isUnderWay) ? <p>Uploads continue as long as this page stays open.</p> : null}
        </>
      )}
    </ConfirmDialog>
  )
}
