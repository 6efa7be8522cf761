'use client'
import { PlayIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { EmptyState } from '@/app/_components/empty-state'
import { TextLink } from '@/app/_components/links'
import { shellWord } from '@/app/_lib/format'
import { repositoryPath } from '@/app/_lib/paths'

interface NoRunsProps {
  repository: { full_name: string }
  mayWrite: boolean
  baseUrl: string
}

/** How to start the first run, for those who may. */
export function NoRuns({ repository, mayWrite, baseUrl }: NoRunsProps): ReactNode {
  if (!mayWrite) {
    return (
      <EmptyState icon={PlayIcon} title="No workflow runs yet">
        <p>Runs of workflows, with their jobs and artifacts, will appear here.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={PlayIcon} title="No workflow runs yet">
      <p>A run executes the jobs of a workflow and keeps the files that they upload. Start one:</p>
      <CommandLine command={exampleRun(`${baseUrl}/api/v1/repos${repositoryPath(repository)}`)} />
      <p>
        Use an{' '}
        <TextLink href="/user/settings/tokens?add=1" inline>
          access token
        </TextLink>{' '}
        with write permission for repositories.
      </p>
    </EmptyState>
  )
}

const workflow = `name: CI
on: workflow_dispatch
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - run: make
`

const exampleRun = (repositoryUrl: string): string =>
  [
    `curl -X POST ${shellWord(`${repositoryUrl}/actions/runs`)}`,
    "-H 'Authorization: token TOKEN'",
    "-H 'Content-Type: application/json'",
    `-d ${shellWord(JSON.stringify({ workflow }))}`,
  ].join(' \\\n  ')
