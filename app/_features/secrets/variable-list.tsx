'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ListBox, RowFacts } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { CommandLine, CopyButton } from '@/app/_components/copy-button'
import { DisclosureRow } from '@/app/_components/disclosure-row'
import { EmptyState } from '@/app/_components/empty-state'
import { Pager } from '@/app/_components/pager'
import { RelativeDate } from '@/app/_components/relative-date'
import { trpc } from '@/app/_lib/trpc'
import { visibleLine } from '@/app/_lib/visible-text'
import type { BrowsedVariable, BrowsedVariablePage } from '@/server/secrets/pages/schema'
import { EditVariableForm } from './edit-variable-form'
import { type VariablesOf, variablesKey } from './queries'
import styles from './secrets.module.css'
import { kindWords } from './words'

interface VariableListProps {
  of: VariablesOf
  page: number
  variables: BrowsedVariablePage
  /** The one that was added just now. */
  addedId: number | undefined
}

export function VariableList({ of, page, variables, addedId }: VariableListProps): ReactNode {
  const { title, icon, none, reference } = kindWords[of.kind]
  const [openId, setOpenId] = useState<number>()
  if (variables.total === 0) {
    return (
      <EmptyState icon={icon} title={`No ${of.kind}s yet`}>
        <p>{none}</p>
        <p>A workflow uses one by its name:</p>
        <CommandLine command={reference(of.kind === 'secret' ? 'NPM_TOKEN' : 'REGION')} what="reference" />
      </EmptyState>
    )
  }
  return (
    <>
      <ListBox title={title} total={variables.total}>
        {variables.items.map(variable => (
          <VariableRow
            key={variable.id}
            of={of}
            variable={variable}
            isNew={variable.id === addedId}
            isOpen={variable.id === openId}
            onToggle={() => setOpenId(variable.id === openId ? undefined : variable.id)}
          />
        ))}
      </ListBox>
      <Pager label={`Pages of ${of.kind}s`} page={page} limit={variables.limit} total={variables.total} />
    </>
  )
}

interface VariableRowProps {
  of: VariablesOf
  variable: BrowsedVariable
  isNew: boolean
  isOpen: boolean
  onToggle: () => void
}

function VariableRow({ of, variable, isNew, isOpen, onToggle }: VariableRowProps): ReactNode {
  const { name, value, description, updated_at } = variable
  return (
    <DisclosureRow
      name={`Edit ${name}`}
      isOpen={isOpen}
      onToggle={onToggle}
      summary={
        <>
          <div className={styles.head}>
            <code className={styles.name} data-new={isNew || undefined}>
              {name}
            </code>
            <CopyButton text={kindWords[of.kind].reference(name)} what={`reference to ${name}`} />
          </div>
          {value === null ? null : (
            <p className={styles.value} dir="auto" title={value.slice(0, 1000)}>
              {visibleLine(value.slice(0, 200))}
            </p>
          )}
          {description ? (
            <p className={styles.description} dir="auto">
              {visibleLine(description)}
            </p>
          ) : null}
          <RowFacts>
            <span>
              Changed <RelativeDate value={updated_at} />
            </span>
          </RowFacts>
        </>
      }
      aside={<RemoveButton of={of} name={name} />}
    >
      <div className={styles.form}>
        <EditVariableForm of={of} variable={variable} onSaved={onToggle} />
      </div>
    </DisclosureRow>
  )
}

function RemoveButton({ of, name }: { of: VariablesOf; name: string }): ReactNode {
  const queryClient = useQueryClient()
  const { kind } = of
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete ${name}`}
      size="small"
      title={`Delete the ${kind} ${name}?`}
      confirm={`Delete ${kind}`}
      run={() => trpc.secrets.remove.mutate({ ...of, of: name })}
      done={`Deleted the ${kind} ${name}`}
      onDone={() => queryClient.invalidateQueries({ queryKey: variablesKey(of) })}
    >
      <p>
        Jobs that start from now on get an empty text for <code>{kindWords[kind].reference(name)}</code>,
        unless it is also set farther up. {kind === 'secret' ? 'Its value is lost.' : null}
      </p>
    </ConfirmButton>
  )
}
