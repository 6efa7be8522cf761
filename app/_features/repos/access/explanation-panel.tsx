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

/** What one person may do here and why; who that is stands in the address. */
export function ExplanationPanel({ path, subject }: ExplanationPanelProps): ReactNode {
  const [search, change] = useAddress()
  const why = search.get('why') ?? ''

  const ask = (login: string): void => change('replaceState', params => params.set('why', login))

  return (
    <Panel title="Who can push here, and why">
      <UserPicker
        label="Person"
        find={{ for: 'anything' }}
        caption="Shows what they may do in this repository, and what gives them that."
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
        {kind === 'notFound' || kind === 'invalid' ? `There is nobody called “${username}” here.` : message}
      </p>
    )
  }
  return (
    <div className={styles.answer} aria-busy={!data}>
      {data ? <AccessExplained explanation={data} subject={subject} /> : <SkeletonBox height="24px" />}
    </div>
  )
}

/** Reads again who has access to the repository, and why, after a change. */
export function useAccessRefresh(path: RepoPath): () => Promise<unknown> {
  const queryClient = useQueryClient()
  const keys = [collaboratorsKey(path), repositoryTeamsKey(path), accessKey(path)]
  return () => Promise.all(keys.map(queryKey => queryClient.invalidateQueries({ queryKey })))
}
