'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LazyConfirmDialog } from '@/app/_components/confirm-button'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import { trpc } from '@/app/_lib/trpc'
import type { Repository, TransferEffects } from '@/server/repos/schema'

interface TransferDialogProps {
  repository: Repository
  recipient: string
  onDone: (transferred: Repository) => Promise<void>
  onClose: () => void
}

/** Confirmation dialog that shows everything that a transfer changes and removes. */
export function TransferDialog({ repository, recipient, onDone, onClose }: TransferDialogProps): ReactNode {
  const { owner, name, full_name } = repository
  const asked = { owner: owner.login, repo: name, new_owner: recipient }
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['transfer-effects', asked],
    queryFn: () => trpc.repos.transfer.showEffects.query(asked),
    meta: { isAsked: true },
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const giving = useMutation({
    mutationFn: (expected: TransferEffects) =>
      trpc.repos.transfer.startAsShown.mutate({ ...asked, expected }),
    onSuccess: onDone,
    onError: async failure => {
      if (readFailure(failure).kind === 'conflict') await refetch()
    },
  })
  return (
    <LazyConfirmDialog
      title={`Transfer ${full_name} to ${recipient}?`}
      confirm="Transfer repository"
      typedName={full_name}
      ready={data !== undefined && !isFetching}
      pending={giving.isPending}
      failure={giving.error ? readFailure(giving.error).message : undefined}
      refusal={error ? readFailure(error).message : undefined}
      onConfirm={() => data && giving.mutate(data)}
      onClose={onClose}
    >
      <div role="status">
        {data ? <Effects effects={data} recipient={recipient} /> : <p>Checking what’s affected…</p>}
      </div>
    </LazyConfirmDialog>
  )
}

function Effects({ effects, recipient }: { effects: TransferEffects; recipient: string }): ReactNode {
  const { is_direct: isDirect, turns_workflows_off: turnsOff, runs } = effects
  const ending = endingOf(effects)
  return (
    <>
      <p>
        {isDirect
          ? 'The transfer takes effect immediately.'
          : `Nothing changes until ${recipient} accepts the transfer.`}{' '}
        {recipient} will then own the repository and control your access. Old links and clones will redirect
        to the new URL. Collaborators, releases, workflow runs, and variables will be kept.
      </p>
      <p>
        {ending.length === 0
          ? 'This doesn’t remove any teams, deploy keys, webhooks, secrets, or runners.'
          : `This removes items that the current owner set up for the repository: ${ending.join(', ')}.`}
      </p>
      {turnsOff ? <p>Workflows will be turned off until the new owner turns them on.</p> : null}
      {runs > 0 ? (
        <p>{counted(runs, 'unfinished workflow run', 'unfinished workflow runs')} will be canceled.</p>
      ) : null}
    </>
  )
}

const endingOf = ({ teams, deploy_keys, hooks, secrets, runners }: TransferEffects): string[] =>
  (
    [
      [teams, 'team', 'teams'],
      [deploy_keys, 'deploy key', 'deploy keys'],
      [hooks, 'webhook', 'webhooks'],
      [secrets, 'secret', 'secrets'],
      [runners, 'runner', 'runners'],
    ] as const
  ).flatMap(([count, one, many]) => (count === 0 ? [] : counted(count, one, many)))
