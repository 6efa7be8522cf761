'use client'
import { type ReactNode, useState } from 'react'
import { BusyButton } from '@/app/_components/busy-button'
import form from '@/app/_components/form.module.css'
import { ButtonLink } from '@/app/_components/links'
import type { Upload } from '@/app/_features/releases/uploads/upload'
import { readFailure } from '@/app/_lib/failure'
import { releasePath, repositoryPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { Repository } from '@/server/repos/schema'
import { DeleteRelease } from './delete-release'
import styles from './editor.module.css'
import type { useReleaseForm } from './use-release-form'
import type { useReleaseSaving } from './use-release-saving'
import { WithdrawRelease } from './withdraw-release'

interface ReleaseActionsProps {
  repository: Repository
  edit: ReturnType<typeof useReleaseForm>
  saving: ReturnType<typeof useReleaseSaving>
  /** Tag that publishing would create; empty if the tag already exists. */
  newTag: string
  /** Number of attached files. */
  files: number
  /** Uploads that are not attached yet. */
  missing: readonly Upload[]
}

const loadPublishQuestion = async () => (await import('./publish-question')).PublishQuestion

/** Buttons below the release form. */
export function ReleaseActions({
  repository,
  edit: { form: fields, known, isSaving, withdraw },
  saving: { pressed, publish },
  newTag,
  files,
  missing,
}: ReleaseActionsProps): ReactNode {
  const isPublished = known !== null && !known.draft
  const [isAsking, setAsking] = useState(false)
  const PublishQuestion = useLazyComponent(loadPublishQuestion, isAsking, error => {
    setAsking(false)
    toast.error(readFailure(error).message)
  })
  const publishNow = (): void => void publish().finally(() => setAsking(false))

  return (
    <>
      <div className={styles.actions}>
        <BusyButton
          type="submit"
          variant={isPublished ? 'primary' : 'default'}
          isBusy={isSaving && pressed === 'save'}
          busy="Saving…"
        >
          {isPublished ? 'Update release' : 'Save draft'}
        </BusyButton>
        {/* Last, because its label grows with the tag and must not move other buttons under the pointer. */}
        {isPublished ? null : (
          <BusyButton
            variant="primary"
            isBusy={isSaving && pressed === 'publish'}
            busy="Publishing…"
            onClick={() => {
              if (isSaving) return
              if (missing.length > 0) setAsking(true)
              else publishNow()
            }}
          >
            {newTag ? `Publish and create tag ${newTag}` : 'Publish release'}
          </BusyButton>
        )}
        <span className={form.hint} role="status">
          {stateText(known?.draft ?? false, fields.formState.isDirty)}
        </span>
        <ButtonLink
          variant="invisible"
          href={known ? releasePath(repository, known.tag) : repositoryPath(repository, 'releases')}
        >
          {known ? `View ${isPublished ? 'release' : 'draft'}` : 'Cancel'}
        </ButtonLink>
        {known ? (
          <span className={styles.last}>
            {isPublished ? <WithdrawRelease tag={known.tag} withdraw={withdraw} /> : null}
            <DeleteRelease repository={repository} release={known} files={files} />
          </span>
        ) : null}
      </div>
      {isAsking && PublishQuestion ? (
        <PublishQuestion
          missing={missing}
          isSaving={isSaving}
          onConfirm={publishNow}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

function stateText(isDraft: boolean, isDirty: boolean): string {
  if (isDirty) return 'You have unsaved changes.'
  return isDraft ? 'Saved as a draft. Only people who can edit releases can see it.' : ''
}
