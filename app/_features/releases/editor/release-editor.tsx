'use client'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { LazyConfirmDialog } from '@/app/_components/confirm-button'
import { CheckField, FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Banner, Button } from '@/app/_components/primer'
import { ConflictList } from '@/app/_components/save-form'
import { releaseAssetsQuery } from '@/app/_features/releases/queries'
import { isUnderWay, type UploadRow } from '@/app/_features/releases/uploads/queue'
import { UploadArea } from '@/app/_features/releases/uploads/upload-area'
import { useUploads } from '@/app/_features/releases/uploads/use-uploads'
import { releasePath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { useHydrated } from '@/app/_lib/use-hydrated'
import { stopAsking, useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import type { UploadLimits } from '@/server/releases/assets/schema'
import type { EditedRelease, ShownAsset } from '@/server/releases/pages/schema'
import type { Repository } from '@/server/repos/schema'
import { BodyField } from './body-field'
import { DeleteRelease } from './delete-release'
import styles from './editor.module.css'
import { TagFields } from './tag-fields'
import { labels, useReleaseForm } from './use-release-form'

interface ReleaseEditorProps {
  repository: Repository
  /** Null while there is none. */
  release: EditedRelease | null
  assets: ShownAsset[]
  branches: readonly string[]
  limits: UploadLimits
  /** What the tag field of a new one begins with. */
  tag?: string
}

/** Writes a release and attaches files to it. The first file saves a draft, as it must belong to something. */
export function ReleaseEditor(props: ReleaseEditorProps): ReactNode {
  const { repository, release, branches, limits, tag = '' } = props
  const router = useRouter()
  const hydrated = useHydrated()
  const path = { owner: repository.owner.login, repo: repository.name }
  const blank = {
    tag_name: tag,
    target_commitish: repository.default_branch,
    name: '',
    body: '',
    prerelease: false,
  }
  const edit = useReleaseForm(path, release, blank)
  const { known, store, isSaving } = edit
  const { register, formState } = edit.form

  const { data: assets = props.assets, refetch } = useQuery({
    ...releaseAssetsQuery(path, known?.id ?? 0),
    enabled: known !== null,
    initialData: props.assets,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { queue, rows } = useUploads({
    path,
    limits,
    isTaken: name => assets.some(asset => asset.name === name),
    onDone: () => void refetch(),
  })
  const unfinished = rows.filter(row => isUnderWay(row) || row.state === 'failed')
  // What was interrupted stays on the server: it is missing from the release, and leaving the page loses nothing of it.
  const missing = rows.filter(row => unfinished.includes(row) || row.state === 'interrupted')
  const [isAsking, setAsking] = useState(false)
  useUnsavedWarning(formState.isDirty || rows.some(isUnderWay))

  const id = known?.id
  useEffect(() => {
    if (id !== undefined) queue.open(id)
  }, [id, queue])
  const editPath = known && releasePath(repository, known.tag, 'edit')
  useEffect(() => {
    if (editPath && editPath !== window.location.pathname) window.history.replaceState(null, '', editPath)
  }, [editPath])

  const isPublished = known !== null && !known.draft
  const show = (at: string): void => {
    stopAsking()
    router.push(releasePath(repository, at))
    router.refresh()
  }
  const save = async (): Promise<void> => {
    const now = await store(!isPublished)
    if (!now) return
    toast.success(isPublished ? `Updated ${now.tag}` : `Saved the draft of ${now.tag}`)
    if (isPublished && unfinished.length === 0) show(now.tag)
  }
  const publish = async (): Promise<void> => {
    const now = await store(false)
    setAsking(false)
    if (!now) return
    toast.success(`Published ${now.tag}`)
    if (unfinished.length === 0) show(now.tag)
  }
  const addFiles = (files: File[]): void => {
    if (files.length === 0 || !limits.enabled) return
    queue.add(files)
    if (!known) void store(true)
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isSaving) void save()
  }
  // A file that came before the tag waits for it.
  const onTagLeft = (): void => {
    const isWaiting = rows.some(({ state }) => state === 'waiting')
    if (!known && isWaiting && edit.form.getValues('tag_name').trim()) void store(true)
  }

  return (
    <form className={styles.editor} onSubmit={onSubmit} noValidate method="post">
      <FormBanner title="The release was not saved" message={formState.errors.root?.server?.message} />
      {edit.conflicts.length > 0 ? (
        <div role="alert">
          <Banner
            variant="warning"
            title="Somebody else has changed this in the meantime"
            description={
              <>
                <p>Nothing was saved. Save again to replace theirs with yours, or take theirs:</p>
                <ConflictList conflicts={edit.conflicts} labels={labels} onTake={edit.takeTheirs} />
              </>
            }
          />
        </div>
      ) : null}
      <TagFields
        path={path}
        form={edit.form}
        branches={branches}
        defaultBranch={repository.default_branch}
        isFixed={isPublished}
        onLeave={onTagLeft}
      />
      <TextField
        label="Title"
        optional
        readOnly={!hydrated}
        caption="The tag stands in its place when there is none."
        error={formState.errors.name?.message}
        {...register('name')}
      />
      <BodyField path={path} form={edit.form} />
      <UploadArea
        path={path}
        release={id}
        assets={assets}
        limits={limits}
        queue={queue}
        rows={rows}
        onFiles={addFiles}
        refresh={refetch}
      />
      <CheckField
        label="Pre-release"
        caption="Not yet for everybody: it is never the latest release."
        {...register('prerelease')}
      />
      <div className={styles.actions}>
        {isPublished ? null : (
          <Button
            variant="primary"
            loading={isSaving}
            onClick={() => (missing.length > 0 ? setAsking(true) : void publish())}
          >
            Publish release
          </Button>
        )}
        <Button type="submit" variant={isPublished ? 'primary' : 'default'} loading={isSaving}>
          {isPublished ? 'Update release' : 'Save draft'}
        </Button>
        <span className={form.hint} role="status">
          {stateInWords(known, formState.isDirty)}
        </span>
        {known ? (
          <span className={styles.last}>
            <DeleteRelease repository={repository} release={known} files={assets.length} />
          </span>
        ) : null}
      </div>
      {isAsking ? (
        <LazyConfirmDialog
          title="Publish without all files?"
          confirm="Publish without them"
          pending={isSaving}
          failure={undefined}
          onConfirm={() => void publish()}
          onClose={() => setAsking(false)}
        >
          <MissingFiles rows={missing} />
        </LazyConfirmDialog>
      ) : null}
    </form>
  )
}

function stateInWords(known: { draft: boolean } | null, isDirty: boolean): string {
  if (isDirty) return 'You have unsaved changes.'
  return known?.draft ? 'Saved as a draft. Only people who can write releases see it.' : ''
}

const stateWords: Partial<Record<UploadRow['state'], string>> = {
  asking: 'has the name of another file',
  paused: 'is paused',
  away: 'waits for the site',
  failed: 'failed',
  interrupted: 'was interrupted',
}

function MissingFiles({ rows }: { rows: readonly UploadRow[] }): ReactNode {
  return (
    <>
      <p>These files are not attached yet. Who downloads the release before they are will miss them:</p>
      <ul className={styles.unfinished}>
        {rows.map(({ key, name, state }) => (
          <li key={key}>
            <strong>{name}</strong> {stateWords[state] ?? 'is on its way'}
          </li>
        ))}
      </ul>
      <p>Uploads that are on their way go on while this page stays open.</p>
    </>
  )
}
