'use client'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { Banner } from '@/app/_components/banner'
import { CheckField, FormBanner, TextField } from '@/app/_components/fields'
import { PageHeading } from '@/app/_components/page-heading'
import { SaveConflicts } from '@/app/_components/save-conflicts'
import { isUnderWay } from '@/app/_features/releases/uploads/upload'
import { UploadArea } from '@/app/_features/releases/uploads/upload-area'
import { useUploads } from '@/app/_features/releases/uploads/use-uploads'
import { useLive } from '@/app/_lib/use-live'
import { isolated } from '@/app/_lib/visible-text'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { UploadLimits } from '@/server/releases/assets/schema'
import type { EditedRelease, ShownAsset } from '@/server/releases/manage/schema'
import type { Repository } from '@/server/repos/schema'
import { BodyField } from './body-field'
import styles from './editor.module.css'
import { ReleaseActions } from './release-actions'
import { labels } from './release-values'
import { TagFields } from './tag-fields'
import { useReleaseAssets } from './use-release-assets'
import { type KnownRelease, useReleaseForm } from './use-release-form'
import { useReleaseSaving } from './use-release-saving'

interface ReleaseEditorProps {
  repository: Repository
  /** Null for a new release. */
  release: EditedRelease | null
  assets: ShownAsset[]
  branches: readonly string[]
  limits: UploadLimits
  /** Initial tag of a new release. */
  tag?: string
}

/**
 * Form for a release and its attached files. Adding the first file saves a draft, because files must belong
 * to a release.
 */
export function ReleaseEditor(props: ReleaseEditorProps): ReactNode {
  const { repository, release, branches, limits, tag = '' } = props
  const path = { owner: repository.owner.login, repo: repository.name }
  const target_commitish = repository.default_branch
  const blank = { tag_name: tag, target_commitish, name: '', body: '', prerelease: false }
  const edit = useReleaseForm(path, release, blank)
  const { known, form } = edit
  const id = known?.id
  const { assets, fetchAgain } = useReleaseAssets(path, id, props.assets)
  useLive(known ? [{ topic: 'repository', id: repository.id }] : [], () => {
    void fetchAgain()
    void edit.follow()
  })
  const isInUse = (name: string): boolean => assets.some(asset => asset.name === name)
  const { withQueue, ...sending } = useUploads({ path, limits, isInUse, onDone: fetchAgain })
  const { queue, uploads, latestUploads } = sending
  const saving = useReleaseSaving(repository, edit, latestUploads)
  const [newTag, setNewTag] = useState('')
  useUnsavedWarning(form.formState.isDirty)
  useUnsavedWarning(uploads.some(isUnderWay), stillUploading)
  useEffect(() => {
    if (id !== undefined) queue?.open(id)
  }, [id, queue])

  const addFiles = (files: File[], replacing?: string): void => {
    if (!limits.enabled) return
    withQueue(made => {
      made.add(files, replacing)
      if (made.uploads().some(isUnderWay)) void saving.keepDraft()
    })
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (!edit.isSaving) void saving.save()
  }
  const onTagLeft = (): void => {
    // Files added before a tag was entered wait until the release is saved as a draft.
    const isWaiting = uploads.some(({ state }) => state === 'waiting')
    if (!known && isWaiting && form.getValues('tag_name').trim()) void saving.keepDraft()
  }

  return (
    <>
      <PageHeading title={headingOf(known)} level={2} />
      <form className={styles.editor} onSubmit={onSubmit} noValidate method="post">
        <FormBanner
          title="The release couldn’t be saved"
          message={form.formState.errors.root?.server?.message}
        />
        {edit.notice ? <Banner variant="warning" title={edit.notice} /> : null}
        <SaveConflicts conflicts={edit.conflicts} labels={labels} onTake={edit.takeTheirs} />
        <TagFields
          path={path}
          form={form}
          branches={branches}
          defaultBranch={repository.default_branch}
          isFixed={known !== null && !known.draft}
          onLeave={onTagLeft}
          onNewTag={setNewTag}
        />
        <TextField
          label="Title"
          optional
          caption="If you leave this empty, the tag is shown instead."
          error={form.formState.errors.name?.message}
          {...form.register('name')}
        />
        <BodyField path={path} form={form} />
        <UploadArea
          path={path}
          release={id}
          assets={assets}
          limits={limits}
          {...sending}
          withQueue={withQueue}
          onFiles={addFiles}
          refresh={fetchAgain}
        />
        <CheckField
          label="Pre-release"
          caption="Marks the release as not ready for production. It’s never shown as the latest release."
          {...form.register('prerelease')}
        />
        <ReleaseActions
          repository={repository}
          edit={edit}
          saving={saving}
          newTag={newTag}
          files={assets.length}
          missing={uploads.filter(({ state }) => state !== 'attached')}
        />
      </form>
    </>
  )
}

const stillUploading =
  'Files are still uploading. Leave anyway? To resume later, select the same files again.'

function headingOf(known: KnownRelease | null): string {
  if (!known) return 'New release'
  return known.draft ? `Draft of ${isolated(known.tag)}` : `Edit ${isolated(known.tag)}`
}
