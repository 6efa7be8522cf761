'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ListBox, RowFacts } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { CommandLine, CopyButton } from '@/app/_components/copy-button'
import { DisclosureRow } from '@/app/_components/disclosure-row'
import { EmptyState } from '@/app/_components/empty-state'
import { Pager } from '@/app/_components/pager'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { trpc } from '@/app/_lib/trpc'
import { visibleLine, visibleText } from '@/app/_lib/visible-text'
import type { BrowsedVariable, BrowsedVariablePage } from '@/server/secrets/manage/schema'
import { EditVariableForm } from './edit-variable-form'
import { elsewhereDefined, kindLabels } from './labels'
import { type VariableListName, variablesKey } from './queries'
import styles from './secrets.module.css'

interface VariableListProps {
  list: VariableListName
  page: number
  variables: BrowsedVariablePage
  /** ID of the secret or variable that was just added. */
  addedId: number | undefined
}

export function VariableList({ list, page, variables, addedId }: VariableListProps): ReactNode {
  const { title, icon, none, reference } = kindLabels[list.kind]
  const [openId, setOpenId] = useState<number>()
  if (variables.total === 0) {
    return (
      <EmptyState icon={icon} title={`No ${list.kind}s yet`}>
        <p>{none}</p>
        <p>Reference one by name in a workflow:</p>
        <CommandLine command={reference(list.kind === 'secret' ? 'NPM_TOKEN' : 'REGION')} what="reference" />
      </EmptyState>
    )
  }
  return (
    <>
      <ListBox title={title} total={variables.total}>
        {variables.items.map(variable => (
          <VariableRow
            key={variable.id}
            list={list}
            variable={variable}
            isNew={variable.id === addedId}
            isOpen={variable.id === openId}
            onToggle={() => setOpenId(variable.id === openId ? undefined : variable.id)}
            onSaved={() => setOpenId(open => (open === variable.id ? undefined : open))}
          />
        ))}
      </ListBox>
      <Pager label={`Pages of ${list.kind}s`} page={page} limit={variables.limit} total={variables.total} />
    </>
  )
}

interface VariableRowProps {
  list: VariableListName
  variable: BrowsedVariable
  isNew: boolean
  isOpen: boolean
  onToggle: () => void
  onSaved: () => void
}

function VariableRow(props: VariableRowProps): ReactNode {
  const { list, variable, isNew, isOpen, onToggle, onSaved } = props
  const { name, value, description, updated_at } = variable
  const [isUnsaved, setUnsaved] = useState(false)
  return (
    <DisclosureRow
      name={`Edit ${name}`}
      label="Edit"
      isOpen={isOpen}
      onToggle={onToggle}
      summary={
        <>
          <div className={styles.head}>
            <code className={styles.name} data-new={isNew || undefined}>
              {name}
            </code>
            <CopyButton text={kindLabels[list.kind].reference(name)} what={`reference to ${name}`} />
            {isUnsaved && !isOpen ? <Label>Unsaved changes</Label> : null}
          </div>
          {value === null ? null : (
            <p className={styles.value} title={value.slice(0, 1000)}>
              <bdi>{visibleText(value.slice(0, 200))}</bdi>
            </p>
          )}
          {description ? (
            <p className={styles.description}>
              <bdi>{visibleLine(description)}</bdi>
            </p>
          ) : null}
          <RowFacts>
            <span>
              Updated <RelativeDate value={updated_at} />
            </span>
          </RowFacts>
        </>
      }
      aside={<RemoveButton list={list} name={name} />}
      keeps
    >
      <div className={styles.form}>
        <EditVariableForm list={list} variable={variable} onSaved={onSaved} onUnsaved={setUnsaved} />
      </div>
    </DisclosureRow>
  )
}

function RemoveButton({ list, name }: { list: VariableListName; name: string }): ReactNode {
  const queryClient = useQueryClient()
  const { kind } = list
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete ${name}`}
      size="small"
      title={`Delete the ${kind} ${name}?`}
      confirm={`Delete ${kind}`}
      run={() => trpc.secrets.remove.mutate({ ...list, name })}
      done={`Deleted the ${kind} ${name}`}
      onDone={() => queryClient.invalidateQueries({ queryKey: variablesKey(list) })}
    >
      <p>
        New jobs will see an empty value for <code>{kindLabels[kind].reference(name)}</code> unless{' '}
        {elsewhereDefined(list.scope, kind)} also defines it.{' '}
        {kind === 'secret' ? 'The value can’t be recovered.' : null}
      </p>
    </ConfirmButton>
  )
}
