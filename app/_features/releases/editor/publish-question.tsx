'use client'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { isUnderWay, type Upload, type UploadState } from '@/app/_features/releases/uploads/upload'
import { visibleLine } from '@/app/_lib/visible-text'
import styles from './editor.module.css'

const labels: Record<UploadState, string> = {
  waiting: 'is waiting to be uploaded',
  asking: 'has the same name as another file and needs a decision',
  sending: 'is uploading',
  paused: 'is paused',
  away: 'is waiting to reconnect',
  failed: 'failed to upload',
  refused: 'was rejected',
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

/** Dialog that asks for confirmation before a release is published without some of its files. */
export function PublishQuestion({ missing, isSaving, onConfirm, onClose }: PublishQuestionProps): ReactNode {
  const isComplete = missing.length === 0
  return (
    <ConfirmDialog
      title={isComplete ? 'Publish with all files?' : 'Publish without some files?'}
      confirm={isComplete ? 'Publish release' : 'Publish without them'}
      pending={isSaving}
      failure={undefined}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {isComplete ? (
        <p>All files are now attached.</p>
      ) : (
        <>
          <p>These files aren’t attached yet and will be missing from the published release:</p>
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
          {missing.some(isUnderWay) ? <p>Keep this page open to continue uploading them.</p> : null}
        </>
      )}
    </ConfirmDialog>
  )
}
