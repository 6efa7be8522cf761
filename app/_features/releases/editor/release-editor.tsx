'use client'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Banner } from '@/app/_components/banner'
import { BusyButton } from '@/app/_components/busy-button'
import { CheckField, FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { SaveConflicts } from '@/app/_components/save-conflicts'
import { releaseAssetsQuery } from '@/app/_features/releases/queries'
import { isUnderWay } from '@/app/_features/releases/uploads/upload'
import { UploadArea } from '@/app/_features/releases/uploads/upload-area'
import { useUploads } from '@/app/_features/releases/uploads/use-uploads'
import { readFailure } from '@/app/_lib/failure'
import { useSelfUpdating } from '@/app/_lib/hold-refresh'
import { refreshPage } from '@/app/_lib/navigation-queue'
import { releasePath, repositoryPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { useLazyComponent } from '@/app/_lib/use-lazy-component'
import { useLive } from '@/app/_lib/use-live'
import { stopAsking, useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import { isolated, visibleLine } from '@/app/_lib/visible-text'
import type { UploadLimits } from '@/server/releases/assets/schema'
import type { EditedRelease, ShownAsset } from '@/server/releases/manage/schema'
import type { Repository } from '@/server/repos/schema'
import { BodyField } from './body-field'
import { DeleteRelease } from './delete-release'
import styles from './editor.module.css'
import { TagFields } from './tag-fields'
import { type KnownRelease, labels, useReleaseForm } from './use-release-form'
import { WithdrawRelease } from './withdraw-release'

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

const loadPublishQuestion = async () => (await import('./publish-question')).PublishQuestion

/** Writes a release and attaches files to it. The first file saves a draft, as it must belong to something. */
export function ReleaseEditor(props: ReleaseEditorProps): ReactNode {
  const { repository, release, branches, limits, tag = '' } = props
  const router = useRouter()
  const path = { owner: repository.owner.login, repo: repository.name }
  const blank = {
    tag_name: tag,
    target_commitish: repository.default_branch,
    name: '',
    body: '',
    prerelease: false,
  }
  const edit = useReleaseForm(path, release, blank)
  const { known, begin, store, isSaving } = edit
  const { register, formState } = edit.form

  const {
    data: assets = props.assets,
    error,
    refetch,
  } = useQuery({
    ...releaseAssetsQuery(path, known?.id ?? 0),
    enabled: known !== null,
    initialData: props.assets,
    staleTime: Number.POSITIVE_INFINITY,
    // What the page was rendered with is newer than any former visit.
    gcTime: 0,
  })
  useSelfUpdating(error, known !== null)
  // One after another: a fetch that another one replaces would promise a list that has not come.
  const listed = useRef<Promise<unknown>>(Promise.resolve())
  const listAgain = (): Promise<unknown> => {
    listed.current = listed.current.then(() => refetch())
    return listed.current
  }
  useLive(known ? [{ topic: 'repository', id: repository.id }] : [], () => {
    void listAgain()
    void edit.follow()
  })
  const { queue, uploads, latestUploads, withQueue } = useUploads({
    path,
    limits,
    isInUse: name => assets.some(asset => asset.name === name),
    onDone: listAgain,
  })
  const missing = uploads.filter(({ state }) => state !== 'attached')
  const [isAsking, setAsking] = useState(false)
  const [pressed, setPressed] = useState<'publish' | 'save'>()
  const [newTag, setNewTag] = useState('')
  const PublishQuestion = useLazyComponent(loadPublishQuestion, isAsking, error => {
    setAsking(false)
    toast.error(readFailure(error).message)
  })
  useUnsavedWarning(formState.isDirty)
  useUnsavedWarning(
    uploads.some(isUnderWay),
    'Files are still uploading. Leave anyway? You can resume later by choosing them again.',
  )

  const id = known?.id
  useEffect(() => {
    if (id !== undefined) queue?.open(id)
  }, [id, queue])
  const isPublished = known !== null && !known.draft
  const stay = (now: KnownRelease): void => {
    const editPath = releasePath(repository, now.tag, 'edit')
    if (editPath === window.location.pathname) return
    window.history.replaceState(null, '', editPath)
    // The router does not change the title when the address changes in place.
    document.title = [`Edit ${visibleLine(now.tag)}`, ...document.title.split(' · ').slice(1)].join(' · ')
  }
  const leave = (now: KnownRelease): void => {
    // Leaving would interrupt them. Refused and interrupted files lose nothing by it.
    if (latestUploads().some(upload => isUnderWay(upload) || upload.state === 'failed')) {
      stay(now)
      return
    }
    stopAsking()
    router.push(releasePath(repository, now.tag))
    refreshPage()
  }
  const save = async (): Promise<void> => {
    setPressed('save')
    const now = await store(!isPublished)
    if (!now) return
    toast.success(now.draft ? `Saved the draft of ${isolated(now.tag)}` : `Updated ${isolated(now.tag)}`)
    if (now.draft) stay(now)
    else leave(now)
  }
  const publish = async (): Promise<void> => {
    setPressed('publish')
    const now = await store(false)
    setAsking(false)
    if (!now) return
    toast.success(`Published ${isolated(now.tag)}`)
    leave(now)
  }
  const keepDraft = async (): Promise<void> => {
    const now = await begin()
    if (now) stay(now)
  }
  const addFiles = (files: File[], replacing?: string): void => {
    if (!limits.enabled) return
    withQueue(made => {
      made.add(files, replacing)
      if (made.uploads().some(isUnderWay)) void keepDraft()
    })
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isSaving) void save()
  }
  // A file that came before the tag waits for it.
  const onTagLeft = (): void => {
    const isWaiting = uploads.some(({ state }) => state === 'waiting')
    if (!known && isWaiting && edit.form.getValues('tag_name').trim()) void keepDraft()
  }

  return (
    <>
      <PageHeading title={headingOf(known)} level={2} />
      <form className={styles.editor} onSubmit={onSubmit} noValidate method="post">
        <FormBanner title="The release was not saved" message={formState.errors.root?.server?.message} />
        {edit.notice ? <Banner variant="warning" title={edit.notice} /> : null}
        <SaveConflicts conflicts={edit.conflicts} labels={labels} onTake={edit.takeTheirs} />
        <TagFields
          path={path}
          form={edit.form}
          branches={branches}
          defaultBranch={repository.default_branch}
          isFixed={isPublished}
          onLeave={onTagLeft}
          onNewTag={setNewTag}
        />
        <TextField
          label="Title"
          optional
          caption="If you leave this empty, the tag is shown instead."
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
          uploads={uploads}
          latestUploads={latestUploads}
          withQueue={withQueue}
          onFiles={addFiles}
          refresh={listAgain}
        />
        <CheckField
          label="Pre-release"
          caption="Not ready for production. It is never shown as the latest release."
          {...register('prerelease')}
        />
        <div className={styles.actions}>
          <BusyButton
            type="submit"
            variant={isPublished ? 'primary' : 'default'}
            isBusy={isSaving && pressed === 'save'}
            busy="Saving…"
          >
            {isPublished ? 'Update release' : 'Save draft'}
          </BusyButton>
          {/* Last, as its words grow with the tag: no other button comes to lie below the pointer. */}
          {isPublished ? null : (
            <BusyButton
              variant="primary"
              isBusy={isSaving && pressed === 'publish'}
              busy="Publishing…"
              onClick={() => {
                if (isSaving) return
                if (missing.length > 0) setAsking(true)
                else void publish()
              }}
            >
              {newTag ? `Publish and create tag ${newTag}` : 'Publish release'}
            </BusyButton>
          )}
          <span className={form.hint} role="status">
            {stateText(known, formState.isDirty)}
          </span>
          <ButtonLink
            variant="invisible"
            href={known ? releasePath(repository, known.tag) : repositoryPath(repository, 'releases')}
          >
            {known ? `View ${isPublished ? 'release' : 'draft'}` : 'Cancel'}
          </ButtonLink>
          {known ? (
            <span className={styles.last}>
              {isPublished ? <WithdrawRelease tag={known.tag} withdraw={edit.withdraw} /> : null}
              <DeleteRelease repository={repository} release={known} files={assets.length} />
            </span>
          ) : null}
        </div>
        {isAsking && PublishQuestion ? (
          <PublishQuestion
            missing={missing}
            isSaving={isSaving}
            onConfirm={() => void publish()}
            onClose={() => setAsking(false)}
          />
        ) : null}
      </form>
    </>
  )
}

function headingOf(known: KnownRelease | null): string {
  if (!known) return 'New release'
  return known.draft ? `Draft of ${isolated(known.tag)}` : `Edit ${isolated(known.tag)}`
}

function stateText(known: KnownRelease | null, isDirty: boolean): string {
  if (isDirty) return 'You have unsaved changes.'
  return known?.draft ? 'Saved as a draft. Only people who can edit releases can see it.' : ''
}
