'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox, ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { WorkflowIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Trail } from '@/app/_components/page-heading'
import { Button, Label } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { repositoryPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useLive } from '@/app/_lib/use-live'
import { isolated, visibleLine } from '@/app/_lib/visible-text'
import type { BrowsedWorkflows } from '@/server/triggers/schema'
import styles from './actions.module.css'
import { Mistakes } from './mistakes'
import { workflowsKey, workflowsQuery } from './queries'
import type { ActionsRepository } from './runs-screen'

interface WorkflowsScreenProps {
  repository: ActionsRepository
  /** Whether live updates are on. Only signed-in people receive them. */
  isFollowed: boolean
}

/** Lists the workflows of the default branch, with their triggers and whether they are disabled. */
export function WorkflowsScreen({ repository, isFollowed }: WorkflowsScreenProps): ReactNode {
  const path = { owner: repository.owner.login, repo: repository.name }
  const queryClient = useQueryClient()
  useLive(
    isFollowed ? [{ topic: 'runs', id: repository.id }] : [],
    () => void queryClient.invalidateQueries({ queryKey: workflowsKey(path) }),
  )
  const { data } = useQuery(workflowsQuery(path))
  if (!data) return <ListSkeleton />
  const steps = [
    { href: repositoryPath(repository, 'actions'), label: 'Actions' },
    { href: repositoryPath(repository, 'actions/workflows'), label: 'Workflows' },
  ]
  return (
    <>
      <Trail steps={steps} />
      {data.workflows.length > 0 ? (
        <ListBox title="Workflows" total={data.workflows.length}>
          {data.workflows.map(workflow => (
            <WorkflowRow
              key={workflow.file}
              repository={repository}
              workflow={workflow}
              mayWrite={data.may_write}
            />
          ))}
        </ListBox>
      ) : (
        <EmptyState icon={WorkflowIcon} title="No workflows yet">
          <p>
            Add workflow files to <code>.gitea/workflows</code> on the{' '}
            <code>{repository.default_branch}</code> branch.
          </p>
        </EmptyState>
      )}
    </>
  )
}

interface WorkflowRowProps {
  repository: ActionsRepository
  workflow: BrowsedWorkflows['workflows'][number]
  mayWrite: boolean
}

function WorkflowRow({ repository, workflow, mayWrite }: WorkflowRowProps): ReactNode {
  const { file, path, is_disabled: isDisabled, is_invalid: isInvalid, events } = workflow
  const { mistakes, warnings, can_start: canStart } = workflow
  const name = visibleLine(workflow.name)
  const mayStart = mayWrite && !isDisabled && !isInvalid && events?.includes('workflow_dispatch')
  return (
    <ListRow
      visual={<WorkflowIcon />}
      action={
        mayWrite ? (
          <span className={styles.rowActions}>
            {mayStart ? (
              <ButtonLink
                size="small"
                name={`Run ${name}`}
                href={`${repositoryPath(repository, 'actions')}?add=1&workflow=${encodeURIComponent(file)}`}
              >
                Run
              </ButtonLink>
            ) : null}
            <WorkflowSwitch repository={repository} file={file} name={name} isDisabled={isDisabled} />
          </span>
        ) : undefined
      }
    >
      <RowTitle
        name={name}
        href={`${repositoryPath(repository, 'actions')}?workflow=${encodeURIComponent(file)}`}
      >
        {isDisabled ? <Label variant="attention">Disabled</Label> : null}
        {isInvalid ? <Label variant="danger">Invalid</Label> : null}
        {!isInvalid && mistakes.length > 0 ? <Label variant="attention">Partly invalid</Label> : null}
        {canStart ? null : <Label variant="attention">Never starts</Label>}
      </RowTitle>
      <RowFacts>
        <bdi>{visibleLine(path)}</bdi>
        {events && events.length > 0 ? <span>on {visibleLine(events.join(', '))}</span> : null}
        {mayWrite && events?.includes('workflow_call') ? (
          <span>
            {isDisabled
              ? 'other workflows can still call it'
              : 'other workflows can call it even while it is disabled'}
          </span>
        ) : null}
      </RowFacts>
      {mistakes.length + warnings.length > 0 ? <Mistakes mistakes={[...mistakes, ...warnings]} /> : null}
    </ListRow>
  )
}

interface WorkflowSwitchProps {
  repository: ActionsRepository
  file: string
  name: string
  isDisabled: boolean
}

/** Enables or disables a workflow. Needs no confirmation, because nothing is lost. */
function WorkflowSwitch({ repository, file, name, isDisabled }: WorkflowSwitchProps): ReactNode {
  const path = { owner: repository.owner.login, repo: repository.name }
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (isEnabled: boolean) =>
      trpc.workflows[isEnabled ? 'enable' : 'disable'].mutate({
        ...path,
        workflow_id: encodeURIComponent(file),
      }),
    onSuccess: async (_, isEnabled) => {
      toast.success(`${isEnabled ? 'Enabled' : 'Disabled'} ${isolated(name)}`)
      await queryClient.invalidateQueries({ queryKey: workflowsKey(path) })
    },
    onError: error => toast.error(readFailure(error).message),
  })
  const word = isDisabled ? 'Enable' : 'Disable'
  return (
    <Button
      size="small"
      aria-label={`${word} ${name}`}
      loading={change.isPending}
      onClick={() => change.mutate(isDisabled)}
    >
      {word}
    </Button>
  )
}
