'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { SkeletonBox } from '@/app/_components/primer'
import { UserPicker } from '@/app/_components/user-picker'
import { readFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { accessKey, accessQuery, collaboratorsKey, repositoryTeamsKey } from '@/app/_lib/queries/repositories'
import { useAddress } from '@/app/_lib/workarounds/navigation-queue'
import { AccessExplained } from './access-explained'
import type { ExplainedRepository } from './access-labels'
import styles from './access-page.module.css'

interface ExplanationPanelProps {
  path: RepoPath
  subject: ExplainedRepository
}

/**
 * Panel that explains one person's access to a repository. The URL's `why` parameter contains their username.
 */
export function ExplanationPanel({ path, subject }: ExplanationPanelProps): ReactNode {
  const [search, change] = useAddress()
  const why = search.get('why') ?? ''

  const ask = (login: string): void => change('replaceState', params => params.set('why', login))

  return (
    <Panel title="Who can push here and why">
      <UserPicker
        label="Person"
        find={{ for: 'anything' }}
        caption="Shows this person’s access and where it comes from."
        selected={why}
        onSelect={login => login && ask(login)}
      />
      {why ? <ExplanationAnswer path={path} username={why} subject={subject} /> : null}
    </Panel>
  )
}

interface ExplanationAnswerProps {
  path: RepoPath
  username: string
  subject: ExplainedRepository
}

function ExplanationAnswer({ path, username, subject }: ExplanationAnswerProps): ReactNode {
  const { data, error } = useQuery(accessQuery(path, username))
  if (error) {
    const { kind, message } = readFailure(error)
    return (
      <p role="alert" className={styles.answer}>
        {kind === 'notFound' || kind === 'invalid' ? `There’s no user named “${username}”.` : message}
      </p>
    )
  }
  return (
    <div className={styles.answer} aria-busy={!data}>
      {data ? <AccessExplained explanation={data} subject={subject} /> : <SkeletonBox height="24px" />}
    </div>
  )
}

/** Returns a function that refetches a repository's collaborators, teams, and access explanations. */
export function useAccessRefresh(path: RepoPath): () => Promise<unknown> {
  const queryClient = useQueryClient()
  const keys = [collaboratorsKey(path), repositoryTeamsKey(path), accessKey(path)]
  return () => Promise.all(keys.map(queryKey => queryClient.invalidateQueries({ queryKey })))
}
