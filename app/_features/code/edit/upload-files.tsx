'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Banner } from '@/app/_components/banner'
import { AlertFillIcon, FileIcon, XIcon } from '@/app/_components/icons'
import { Label } from '@/app/_components/label'
import { IconButton } from '@/app/_components/primer'
import type { FoundFile } from '@/app/_lib/dropped-files'
import { formatBytes } from '@/app/_lib/format'
import { codePath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { visibleLine } from '@/app/_lib/visible-text'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { EditPage } from '@/server/code/edit/schema'
import { CommitBox } from './commit-box'
import { DropZone } from './drop-zone'
import styles from './edit.module.css'
import type { EditedRepository } from './edited-repository'
import { submitOnKeys } from './submit-keys'
import { problemOfNames } from './typed-path'
import { fetchWithProgress } from './upload-request'
import {
  addUploads,
  maxUploadBytes,
  maxUploadFiles,
  problemOfPaths,
  problemOfUploads,
  readBase64,
  sizeOf,
} from './uploads'
import { type FileChange, useCommit } from './use-commit'

interface UploadFilesProps {
  repository: EditedRepository
  /** The directory to upload to. */
  page: EditPage
}

const maxShown = 200

/** Form that uploads files to a directory, and commits them. */
export function UploadFiles({ repository, page }: UploadFilesProps): ReactNode {
  const [files, setFiles] = useState<readonly FoundFile[]>([])
  const [isDone, setDone] = useState(false)
  const [step, setStep] = useState('')
  const [percent, setPercent] = useState(0)
  const [isCanceled, setCanceled] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const upload = useRef<AbortController>(undefined)
  const commit = useCommit(repository, page, { onDone: () => setDone(true) })
  useUnsavedWarning(files.length > 0 && !isDone, 'Leave without committing your files?')
  const pathOf = ({ path }: FoundFile): string => (page.path ? `${page.path}/${path}` : path)
  const possible = files.filter(({ path }) => !problemOfNames(path))
  const existing = useExisting(repository, page, possible.map(pathOf))
  const problem = problemOfUploads(files)
  const change = (next: (before: readonly FoundFile[]) => FoundFile[]): void => {
    setFiles(next)
    // What was wrong may be right now.
    commit.setProblems({ ...commit.problems, form: undefined })
  }
  const summary = files.length === 1 ? `Upload ${files[0]?.path}` : `Upload ${files.length} files`

  const submit = useSingleFlight(async () => {
    if (problem) return
    if (files.length === 0) return commit.setProblems({ form: 'Add at least one file.' })
    const wrong = problemOfPaths(files)
    if (wrong) return commit.setProblems({ form: wrong })
    const controller = new AbortController()
    const { signal } = controller
    upload.current = controller
    setPercent(0)
    setCanceled(false)
    const changes: FileChange[] = []
    try {
      for (const [index, each] of files.entries()) {
        if (signal.aborted) return setStep('')
        setStep(`Reading ${(index + 1).toLocaleString('en-US')} of ${files.length.toLocaleString('en-US')}…`)
        changes.push({ operation: 'upload', path: pathOf(each), content: await readBase64(each.file) })
      }
    } catch {
      setStep('')
      return commit.setProblems({
        form: 'A file couldn’t be read. It may have been changed or moved; add it again.',
      })
    }
    setStep(`Uploading ${size}…`)
    const fetch = fetchWithProgress(share => setPercent(Math.floor(100 * share)))
    const call = { signal, context: { fetch } }
    await commit.commit(changes, { summary, path: async () => page.path, call })
    setStep('')
  })
  const stop = (): void => {
    upload.current?.abort()
    setCanceled(true)
    // The pressed button disappears.
    form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }
  const size = formatBytes(sizeOf(files))
  const isSent = percent === 100
  const progress = step && isSent ? 'Committing…' : step
  const here = codePath(repository, 'src', { kind: 'branch', name: page.branch }, page.path)
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} onKeyDownCapture={submitOnKeys}>
      <h2 className={styles.title}>
        Upload to <bdi>{visibleLine(page.path ? `${repository.name}/${page.path}` : repository.name)}</bdi>
      </h2>
      <DropZone onAdd={added => change(before => addUploads(before, added))} />
      {problem ? (
        <div role="alert">
          <Banner
            className={styles.notice}
            variant="critical"
            title={
              problem === 'number'
                ? `At most ${maxUploadFiles.toLocaleString('en-US')} files can be uploaded at once`
                : `At most ${formatBytes(maxUploadBytes)} can be uploaded at once`
            }
            description={`These are ${files.length.toLocaleString('en-US')} files with ${formatBytes(sizeOf(files))}. Remove some, or clone the repository and push them with Git.`}
          />
        </div>
      ) : null}
      {files.length > 0 ? (
        <FileTable
          files={files}
          isReplaced={file => existing.has(pathOf(file))}
          onRemove={path => change(before => before.filter(each => each.path !== path))}
        />
      ) : null}
      <CommitBox
        state={{ ...commit, isBusy: commit.isBusy || step !== '' }}
        page={page}
        summary={summary}
        action="Commit files"
        busy={percent > 0 && !isSent ? `Uploading ${percent}% of ${size}…` : progress || 'Committing…'}
        onStop={step !== '' && !isSent ? stop : undefined}
        cancel={page.commit === null ? `/${repository.full_name}` : here}
      />
      <p role="status" className="visually-hidden">
        {isCanceled ? 'The upload was canceled.' : progress}
      </p>
    </form>
  )
}

/** Those of the paths that the branch has already. */
function useExisting(
  { owner, name: repo, full_name }: EditedRepository,
  page: EditPage,
  paths: string[],
): Set<string> {
  const { branch, commit } = page
  const { data } = useQuery({
    queryKey: ['existing-files', full_name, branch, paths],
    queryFn: () => trpc.code.edit.findExisting.query({ owner, repo, branch, paths }),
    enabled: commit !== null && paths.length > 0 && paths.length <= maxUploadFiles,
    placeholderData: before => before,
  })
  return new Set(data)
}

interface FileTableProps {
  files: readonly FoundFile[]
  isReplaced: (file: FoundFile) => boolean
  onRemove: (path: string) => void
}

function FileTable({ files, isReplaced, onRemove }: FileTableProps): ReactNode {
  // Those that must be removed come first: others may not be shown.
  const shown = [
    ...files.filter(({ path }) => problemOfNames(path)),
    ...files.filter(({ path }) => !problemOfNames(path)),
  ]
  return (
    <>
      <p className={styles.count} role="status">
        {files.length.toLocaleString('en-US')} {files.length === 1 ? 'file' : 'files'},{' '}
        {formatBytes(sizeOf(files))}
      </p>
      <ul className={styles.files} aria-label="Files to upload">
        {shown.slice(0, maxShown).map(each => (
          <li key={each.path} className={styles.file}>
            <FileIcon className={styles.muted} />
            <div className={styles.filePath}>
              <bdi>{visibleLine(each.path)}</bdi>
              <PathProblem path={each.path} />
            </div>
            {isReplaced(each) ? <Label variant="attention">Replaces a file</Label> : null}
            <span className={styles.size}>{formatBytes(each.file.size)}</span>
            <IconButton
              icon={XIcon}
              size="small"
              variant="invisible"
              aria-label={`Remove ${visibleLine(each.path)}`}
              onClick={() => onRemove(each.path)}
            />
          </li>
        ))}
        {files.length > maxShown ? (
          <li className={styles.file}>and {(files.length - maxShown).toLocaleString('en-US')} more</li>
        ) : null}
      </ul>
    </>
  )
}

function PathProblem({ path }: { path: string }): ReactNode {
  const problem = problemOfNames(path)
  if (!problem) return null
  return (
    <p className={styles.problem}>
      <AlertFillIcon size={12} /> {problem}
    </p>
  )
}
