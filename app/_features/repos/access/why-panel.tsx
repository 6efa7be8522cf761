'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { UserPicker } from '@/app/_components/user-picker'
import type { RepoPath } from '@/app/_lib/paths'
import type { ExplainedRepository } from './access-labels'
import { WhyAnswer } from './why-answer'

interface WhyPanelProps {
  path: RepoPath
  subject: ExplainedRepository
}

/** What one person may do here and why; who that is stands in the address. */
export function WhyPanel({ path, subject }: WhyPanelProps): ReactNode {
  const pathname = usePathname()
  const search = useSearchParams()
  const why = search.get('why') ?? ''

  const ask = (login: string): void => {
    const params = new URLSearchParams(search)
    params.set('why', login)
    window.history.replaceState(null, '', `${pathname}?${params}`)
  }

  return (
    <Panel title={why ? `Why can ${why} push here?` : 'Why can somebody push here?'}>
      <UserPicker
        label="Person"
        find={{ for: 'anything' }}
        caption="Shows what they may do in this repository, and what gives them that."
        chosen={why}
        onChoose={login => login && ask(login)}
      />
      {why ? <WhyAnswer path={path} username={why} subject={subject} /> : null}
    </Panel>
  )
}
