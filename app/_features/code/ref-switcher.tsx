'use client'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Dropdown } from '@/app/_components/dropdown'
import { CheckIcon, GitBranchIcon, GitCommitIcon, TagIcon } from '@/app/_components/icons'
import { PageLink } from '@/app/_components/page-link'
import type { RepoPath } from '@/app/_lib/paths'
import { codePath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import type { ShownRevision } from '@/server/code/pages/schema'
import styles from './ref-switcher.module.css'

interface RefSwitcherProps {
  path: RepoPath
  fullName: string
  revision: Pick<ShownRevision, 'kind' | 'name'>
  /** Path in the repository that is shown. */
  inside: string
  section: 'src' | 'commits'
}

const nouns = { branch: 'Branch', tag: 'Tag', commit: 'Commit' }
const icons = { branch: GitBranchIcon, tag: TagIcon, commit: GitCommitIcon }

/** Button that names the branch, tag, or commit of the page, with a searchable list of others. */
export function RefSwitcher({ path, fullName, revision, inside, section }: RefSwitcherProps): ReactNode {
  const Visual = icons[revision.kind]
  const name = revision.kind === 'commit' ? revision.name.slice(0, 10) : revision.name
  return (
    <Dropdown
      label={`${nouns[revision.kind]} ${name}: switch`}
      button={
        <>
          <Visual /> <bdi className={styles.name}>{name}</bdi>
        </>
      }
    >
      {(isOpen, close) =>
        isOpen ? (
          <RefSearch
            path={path}
            revision={revision}
            hrefOf={(kind, to) => codePath({ full_name: fullName }, section, { kind, name: to }, inside)}
            onSelected={close}
          />
        ) : null
      }
    </Dropdown>
  )
}

interface RefSearchProps {
  path: RepoPath
  revision: Pick<ShownRevision, 'kind' | 'name'>
  hrefOf: (kind: 'branch' | 'tag', name: string) => string
  onSelected: () => void
}

function RefSearch({ path, revision, hrefOf, onSelected }: RefSearchProps): ReactNode {
  const [kind, setKind] = useState<'branch' | 'tag'>(revision.kind === 'tag' ? 'tag' : 'branch')
  const [text, setText] = useState('')
  const q = useDebounced(text.trim(), 150)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { data, error } = useQuery({
    queryKey: ['ref-switcher', path.owner, path.repo, kind, q],
    queryFn: async () => {
      const wanted = { ...path, q, page: 1, limit: 50 }
      return kind === 'branch'
        ? (await trpc.repos.branches.browse.query({ ...wanted, sort: 'newest' })).items.map(
            ({ name }) => name,
          )
        : (await trpc.repos.tags.browse.query({ ...wanted, sort: 'newest' })).items.map(({ name }) => name)
    },
    staleTime: 10_000,
  })
  const move = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    const next = event.key === 'ArrowDown' ? at + 1 : at - 1
    if (next < 0) field.current?.focus()
    else links[Math.min(next, links.length - 1)]?.focus()
  }
  const noun = kind === 'branch' ? 'branches' : 'tags'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the field and the links
    <div onKeyDown={move}>
      <div className={styles.kinds}>
        {(['branch', 'tag'] as const).map(each => (
          <button
            key={each}
            type="button"
            className={styles.kind}
            aria-pressed={each === kind}
            onClick={() => setKind(each)}
          >
            {each === 'branch' ? 'Branches' : 'Tags'}
          </button>
        ))}
      </div>
      <input
        ref={field}
        type="search"
        className={styles.field}
        aria-label={`Find ${noun}`}
        placeholder={`Find ${noun}…`}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') list.current?.querySelector('a')?.click()
        }}
      />
      <ul ref={list} className={styles.list} aria-busy={data === undefined && !error}>
        {data?.map(name => (
          <li key={name}>
            <PageLink href={hrefOf(kind, name)} className={styles.item} onClick={onSelected}>
              <span className={styles.check}>
                {name === revision.name && kind === revision.kind ? <CheckIcon aria-label="Current" /> : null}
              </span>
              <bdi>{name}</bdi>
            </PageLink>
          </li>
        ))}
      </ul>
      <p role="status" className={styles.status}>
        {error ? `Couldn’t load the ${noun}. Try again.` : data?.length === 0 ? `No ${noun} match.` : ''}
      </p>
    </div>
  )
}
