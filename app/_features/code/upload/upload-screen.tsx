'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { Banner } from '@/app/_components/banner'
import { DropTarget } from '@/app/_components/drop-target'
import { ButtonLink, TextLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import { CommitForm } from '@/app/_features/code/edit/commit-form'
import styles from '@/app/_features/code/edit/edit.module.css'
import type { FoundFile } from '@/app/_lib/dropped-files'
import type { Failure } from '@/app/_lib/failure'
import { counted, formatBytes } from '@/app/_lib/format'
import { codePath, type RepoPath, repositoryPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import { FilePickers } from './file-pickers'
import { FileRows, type UploadRow } from './file-rows'
import own from './upload.module.css'
import { maxBytes, maxFiles, presentPaths, problemOf, type UploadList, withFiles } from './upload-list'
import { ProgressBar } from './upload-progress'
import { useUpload } from './use-upload'

interface UploadScreenProps {
  repository: RepoPath
  branch: string
  newBranch: string
  /** The newest commit of the branch; null in an empty repository. */
  commit: string | null
  /** Path of the directory to which files are added; empty for the root. */
  directory: string
}

/** Page that adds files to a directory. */
export function UploadScreen(props: UploadScreenProps): ReactNode {
  const { repository, branch, newBranch, commit, directory } = props
  const full = { full_name: `${repository.owner}/${repository.repo}` }
  const [list, setList] = useState<UploadList>(new Map())
  const [tooMany, setTooMany] = useState(false)
  const [obstacle, setObstacle] = useState<Failure>()
  const { rows, isWhole } = useRows(repository, commit, directory, list)
  const total = rows.reduce((sum, { size }) => sum + size, 0)
  const wrong = rows.filter(({ problem }) => problem !== undefined).length
  const inRepository = (path: string): string => (directory ? `${directory}/${path}` : path)
  const { upload, isPending, progress, failure, isCanceled, cancel } = useUpload({
    repository,
    branch,
    directory,
    files: [...list].map(([path, file]) => ({ path: inRepository(path), file })),
  })
  useUnsavedWarning(list.size > 0, 'Leave without uploading the files?')

  const change = (next: UploadList): void => {
    setObstacle(undefined)
    setList(next)
  }
  const add = (found: FoundFile[]): void => {
    if (isPending || found.length === 0) return
    const next = withFiles(list, found)
    setTooMany(next.size > maxFiles)
    if (next.size <= maxFiles) change(next)
  }
  const remove = useCallback((path: string): void => {
    setObstacle(undefined)
    setTooMany(false)
    setList(known => new Map([...known].filter(([other]) => other !== path)))
  }, [])
  const isTooLarge = total > maxBytes
  const inTheWay =
    list.size === 0
      ? 'Add files first.'
      : wrong > 0
        ? 'Remove the files that can’t be uploaded first.'
        : isTooLarge
          ? 'Remove files until the rest is small enough.'
          : undefined

  return (
    <div className={styles.screen}>
      <PageHeading title="Upload files" level={2}>
        To <bdi className={own.where}>{directory ? `${directory}/` : 'the root directory'}</bdi> of{' '}
        <bdi className={own.where}>{branch}</bdi>. Files that exist there are replaced.
      </PageHeading>
      <FilePickers isLocked={isPending} onFiles={add}>
        {`At most ${maxFiles.toLocaleString('en-US')} files, ${formatBytes(maxBytes)} in total. `}
        <TextLink href={repositoryPath(full)} inline>
          Clone the repository
        </TextLink>{' '}
        and push with Git to add more.
      </FilePickers>
      <DropTarget text="Drop files to upload them" most={maxFiles} onFiles={add} />
      <div role="alert" className={own.alerts}>
        {tooMany ? (
          <Banner
            variant="critical"
            title={`More than ${maxFiles.toLocaleString('en-US')} files`}
            description="None of the last files were added. Add fewer files, or push with Git."
          />
        ) : null}
        {isTooLarge ? (
          <Banner
            variant="critical"
            title={`${formatBytes(total)} can’t be uploaded at once`}
            description={`The limit is ${formatBytes(maxBytes)}. Remove files, or push with Git.`}
          />
        ) : null}
      </div>
      {list.size > 0 ? (
        <section aria-label="Files" className={own.list}>
          <div className={own.head}>
            <p role="status">{summaryOf(rows, total, isWhole)}</p>
            {isPending ? null : (
              <span className={own.headActions}>
                {wrong > 0 && wrong < list.size ? (
                  <Button
                    size="small"
                    onClick={() =>
                      change(
                        new Map([...list].filter(([path]) => !rows.find(row => row.path === path)?.problem)),
                      )
                    }
                  >
                    Remove what can’t be uploaded
                  </Button>
                ) : null}
                <Button size="small" variant="invisible" onClick={() => change(new Map())}>
                  Remove all
                </Button>
              </span>
            )}
          </div>
          <FileRows rows={rows} isLocked={isPending} onRemove={remove} />
        </section>
      ) : null}
      <CommitForm
        branch={branch}
        defaultBranchName={newBranch}
        defaultMessage={defaultMessage([...list.keys()].map(inRepository))}
        verb="Upload files"
        isPending={isPending}
        failure={obstacle ?? failure}
        onCommit={wanted => {
          setObstacle(inTheWay === undefined ? undefined : { kind: 'invalid', message: inTheWay })
          if (inTheWay === undefined) upload(wanted)
        }}
      >
        {cancel ? (
          <Button onClick={cancel}>Cancel upload</Button>
        ) : isPending ? null : (
          <ButtonLink
            href={
              commit
                ? codePath(full, 'src', { kind: 'branch', name: branch }, directory)
                : repositoryPath(full)
            }
            variant="invisible"
          >
            Cancel
          </ButtonLink>
        )}
        {progress ? <ProgressBar progress={progress} /> : null}
        <p role="status" className={own.facts}>
          {isCanceled ? 'The upload was canceled. Nothing was committed.' : ''}
        </p>
      </CommitForm>
    </div>
  )
}

/** Returns the rows of the list, those with problems first, and whether all files of the branch were compared. */
function useRows(
  repository: RepoPath,
  commit: string | null,
  directory: string,
  list: UploadList,
): { rows: readonly UploadRow[]; isWhole: boolean } {
  const { data } = useQuery({
    queryKey: ['paths', repository.owner, repository.repo, commit],
    queryFn: () => trpc.code.pages.listPaths.query({ ...repository, commit: commit ?? '' }),
    enabled: commit !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const present = useMemo(() => presentPaths(data?.paths ?? []), [data])
  const rows = useMemo(() => {
    const all = [...list].map(([path, { size }]): UploadRow => {
      const whole = directory ? `${directory}/${path}` : path
      return { path, size, problem: problemOf(whole, present), isPresent: present.files.has(whole) }
    })
    return [
      ...all.filter(({ problem }) => problem !== undefined),
      ...all.filter(({ problem }) => problem === undefined),
    ]
  }, [list, directory, present])
  return { rows, isWhole: data?.isWhole ?? commit === null }
}

function summaryOf(rows: readonly UploadRow[], total: number, isWhole: boolean): string {
  const replaced = rows.filter(({ isPresent, problem }) => isPresent && !problem).length
  const wrong = rows.filter(({ problem }) => problem !== undefined).length
  const facts = [`${counted(rows.length, 'file', 'files')}, ${formatBytes(total)}`]
  if (replaced > 0) facts.push(`${counted(replaced, 'replaces', 'replace')} a present file`)
  if (wrong > 0) facts.push(`${wrong.toLocaleString('en-US')} can’t be uploaded`)
  if (!isWhole) facts.push('not compared with all files of the branch')
  return facts.join(' · ')
}

function defaultMessage(paths: readonly string[]): string {
  const [first] = paths
  if (first === undefined) return 'Upload files'
  return paths.length === 1 ? `Upload ${first}` : `Upload ${counted(paths.length, 'file', 'files')}`
}
