'use client'
import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { EmptyState } from '@/app/_components/empty-state'
import { PlayIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { defaultLabel } from '@/app/_lib/default-label'
import { repositoryPath } from '@/app/_lib/paths'

interface NoRunsProps {
  repository: { full_name: string; permissions: { admin: boolean } }
  mayWrite: boolean
}

/** Empty state that shows people with write access how to start the first run. */
export function NoRuns({ repository, mayWrite }: NoRunsProps): ReactNode {
  if (!mayWrite) {
    return (
      <EmptyState icon={PlayIcon} title="No workflow runs yet">
        <p>Workflow runs, with their jobs and artifacts, will appear here.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={PlayIcon} title="No workflow runs yet">
      <p>To start a run, push a workflow from a clone of this repository:</p>
      <CommandLine command={firstWorkflow} what="commands" />
      <p>
        A{' '}
        {repository.permissions.admin ? (
          <TextLink href={repositoryPath(repository, 'settings/actions/runners')} inline>
            runner
          </TextLink>
        ) : (
          'runner'
        )}{' '}
        will then run its jobs.
      </p>
    </EmptyState>
  )
}

const firstWorkflow = `mkdir -p .gitea/workflows
cat > .gitea/workflows/ci.yml <<'END'
name: CI
on: [push, workflow_dispatch]
jobs:
  build:
    runs-on: ${defaultLabel}
    steps:
      - run: echo "It works"
END
git add .gitea/workflows
git commit -m 'Add a workflow'
git push`
