'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { PackageIcon } from '@/app/_components/icons'
import { Pager } from '@/app/_components/pager'
import { Button, Checkbox } from '@/app/_components/primer'
import { SearchBox } from '@/app/_components/query-controls'
import { counted, formatBytes } from '@/app/_lib/format'
import type { BrowsedArtifacts, ShownArtifact } from '@/server/artifacts/contents/schema'
import styles from './artifact-list.module.css'
import { ArtifactRow } from './artifact-row'
import { artifactsQuery } from './queries'
import { RemoveDialog } from './remove-dialog'

export interface ArtifactsRepository {
  owner: { login: string }
  name: string
  full_name: string
}

interface ArtifactListProps {
  repository: ArtifactsRepository
  run: number
  attempt: number
  /** Whether the attempt is completed and no more artifacts will follow. */
  isCompleted: boolean
  page: number
  q: string
}

const pollMs = 3_000
const searchedFrom = 10

/** Lists an attempt's artifacts, including those that are being uploaded. */
export function ArtifactList(props: ArtifactListProps): ReactNode {
  const { repository, run, attempt, isCompleted, page, q } = props
  const path = { owner: repository.owner.login, repo: repository.name }
  const { data } = useQuery({
    ...artifactsQuery(path, { run, attempt, page, q }),
    placeholderData: keepPreviousData,
    // No live event reports the blocks of an upload as they arrive.
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ state }) => state === 'uploading') ? pollMs : false,
  })
  if (!data) return null
  const isSearched = q !== '' || data.total > searchedFrom
  return (
    <section aria-label="Artifacts">
      {isSearched ? <SearchBox label="Find an artifact" q={q} /> : null}
      {data.total === 0 ? (
        <NoArtifacts q={q} isCompleted={isCompleted} />
      ) : (
        <Artifacts repository={repository} run={run} found={data} />
      )}
      <Pager label="Pages of artifacts" page={page} limit={data.limit} total={data.total} />
    </section>
  )
}

function NoArtifacts({ q, isCompleted }: { q: string; isCompleted: boolean }): ReactNode {
  return (
    <div className={styles.none}>
      <PackageIcon />
      {q ? (
        <p>
          No artifacts match “<bdi>{q}</bdi>”.
        </p>
      ) : isCompleted ? (
        <p>This run has no artifacts.</p>
      ) : (
        <p>
          No artifacts yet. Files that a job uploads with <code>actions/upload-artifact</code> will appear
          here.
        </p>
      )}
    </div>
  )
}

interface ArtifactsProps {
  repository: ArtifactsRepository
  run: number
  found: BrowsedArtifacts
}

function Artifacts({ repository, run, found }: ArtifactsProps): ReactNode {
  const { items, total, available_size: size, may_write: mayWrite } = found
  const path = { owner: repository.owner.login, repo: repository.name }
  const queryClient = useQueryClient()
  const box = useRef<HTMLDivElement>(null)
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(new Set())
  const [asked, ask] = useState<readonly ShownArtifact[]>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['artifacts', path.owner, path.repo, run] })
  const removable = items.filter(({ state }) => state !== 'uploading')
  const selected = removable.filter(({ id }) => selectedIds.has(id))
  const toggle = (id: number): void => {
    const next = new Set(selectedIds)
    if (!next.delete(id)) next.add(id)
    setSelectedIds(next)
  }
  const removed = async (): Promise<void> => {
    setSelectedIds(new Set())
    await refresh()
    ask(undefined)
    // The pressed button has disappeared, so the focus moves to the list.
    setTimeout(() => box.current?.focus())
  }

  return (
    <div ref={box} tabIndex={-1} className={styles.box}>
      <div className={styles.head}>
        {mayWrite && removable.length > 0 ? (
          <SelectAll
            isAll={selected.length === removable.length}
            isSome={selected.length > 0}
            onChange={isAll => setSelectedIds(new Set(isAll ? removable.map(({ id }) => id) : []))}
          />
        ) : null}
        <h3 className={styles.heading}>Artifacts</h3>
        <span className={styles.count}>{total.toLocaleString('en-US')}</span>
        {size > 0 ? <span className={styles.muted}>{formatBytes(size)} in total</span> : null}
        {selected.length > 0 ? (
          <span className={styles.forSelected}>
            <Button size="small" variant="danger" onClick={() => ask(selected)}>
              Delete {counted(selected.length, 'artifact', 'artifacts')}
            </Button>
          </span>
        ) : null}
      </div>
      <ul>
        {items.map(artifact => (
          <ArtifactRow
            key={artifact.id}
            repository={repository}
            run={run}
            artifact={artifact}
            mayWrite={mayWrite}
            isSelected={selectedIds.has(artifact.id)}
            onSelect={() => toggle(artifact.id)}
            onRemoved={refresh}
          />
        ))}
      </ul>
      {asked ? (
        <RemoveDialog
          path={path}
          run={run}
          artifacts={asked}
          onRemoved={removed}
          onClose={() => ask(undefined)}
        />
      ) : null}
    </div>
  )
}

interface SelectAllProps {
  isAll: boolean
  isSome: boolean
  onChange: (isAll: boolean) => void
}

function SelectAll({ isAll, isSome, onChange }: SelectAllProps): ReactNode {
  return (
    <Checkbox
      aria-label="Select all artifacts on this page"
      checked={isAll}
      indeterminate={isSome && !isAll}
      onChange={() => onChange(!isAll)}
    />
  )
}
