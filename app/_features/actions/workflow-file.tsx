'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CopyTextButton } from '@/app/_components/copy-button'
import { Fact } from '@/app/_components/fact-list'
import { readFailure } from '@/app/_lib/failure'
import { visibleText } from '@/app/_lib/visible-text'
import type { ShownRun } from '@/server/actions/runs/schema'
import styles from './actions.module.css'
import { documentQuery } from './queries'
import type { ActionsRepository } from './runs-screen'

/** Shows the path of a run's workflow. Its content is fetched when opened. */
export function WorkflowFile({
  repository,
  run,
}: {
  repository: ActionsRepository
  run: ShownRun
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({
    ...documentQuery({ owner: repository.owner.login, repo: repository.name }, run.id),
    enabled: isOpen,
  })
  return (
    <Fact term="Workflow" wide>
      <details className={styles.workflow} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <span className={styles.path}>{run.workflow_path || run.workflow_name}</span>
        </summary>
        {error ? <p role="alert">{readFailure(error).message}</p> : null}
        {data ? (
          <>
            <CopyTextButton text={data.document} label="Copy workflow" />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre className={styles.document} tabIndex={0}>
              {visibleText(data.document)}
            </pre>
          </>
        ) : null}
      </details>
    </Fact>
  )
}
