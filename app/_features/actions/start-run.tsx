'use client'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useId, useState } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { Panel } from '@/app/_components/box'
import { CheckField, TextField } from '@/app/_components/fields'
import { FormControl, Select } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { type RepoPath, runPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import type { DispatchForm } from '@/server/triggers/schema'
import styles from './actions.module.css'
import { branchesQuery, dispatchQuery } from './queries'

type StartableWorkflow = DispatchForm['workflows'][number]
type Input = StartableWorkflow['inputs'][number]

interface StartRunProps {
  repository: { full_name: string; owner: { login: string }; name: string; default_branch: string }
}

/** A form that starts a workflow of a branch or tag by hand, with the inputs that it asks for. */
export function StartRun({ repository }: StartRunProps): ReactNode {
  const path = { owner: repository.owner.login, repo: repository.name }
  const [ref, setRef] = useState(repository.default_branch)
  const [chosen, setChosen] = useState<string>()
  const asked = useDebounced(ref.trim(), 300)
  const branches = useQuery(branchesQuery(path))
  const form = useQuery({ ...dispatchQuery(path, asked), placeholderData: keepPreviousData })
  const names = useId()
  const workflows = form.data?.workflows ?? []
  const workflow = workflows.find(({ file }) => file === chosen) ?? workflows[0]
  return (
    <Panel title="Run a workflow">
      <div className={styles.start}>
        <TextField
          label="Branch or tag"
          autoFocus
          list={names}
          value={ref}
          onChange={event => setRef(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          error={form.error ? readFailure(form.error).message : undefined}
        />
        <datalist id={names}>
          {branches.data?.names.map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {workflows.length > 0 ? (
          <FormControl>
            <FormControl.Label>Workflow</FormControl.Label>
            <Select block value={workflow?.file ?? ''} onChange={event => setChosen(event.target.value)}>
              {workflows.map(({ file, name }) => (
                <Select.Option key={file} value={file}>
                  {name === file ? file : `${name} (${file})`}
                </Select.Option>
              ))}
            </Select>
          </FormControl>
        ) : null}
        {form.data && workflows.length === 0 ? (
          <p className={styles.startNote}>
            There is no workflow with <code>on: workflow_dispatch</code> here.
          </p>
        ) : null}
      </div>
      {workflow ? (
        <Inputs
          key={`${asked} ${workflow.file}`}
          path={path}
          repository={repository}
          gitRef={asked}
          isCurrent={!form.isPlaceholderData && asked === ref.trim()}
          workflow={workflow}
        />
      ) : null}
    </Panel>
  )
}

interface InputsProps {
  path: RepoPath
  repository: { full_name: string }
  gitRef: string
  /** The workflow is the one of this ref, not of the one before. */
  isCurrent: boolean
  workflow: StartableWorkflow
}

function Inputs({ path, repository, gitRef, isCurrent, workflow }: InputsProps): ReactNode {
  const router = useRouter()
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(workflow.inputs.map(input => [input.name, initialValue(input)])),
  )
  const start = useMutation({
    mutationFn: () =>
      trpc.workflows.dispatch.mutate({
        ...path,
        workflow_id: workflow.file,
        ref: gitRef,
        inputs: values,
        return_run_details: true,
      }),
    onSuccess: run => {
      toast.success(`${workflow.name} has started`)
      if (run) router.push(runPath(repository, run.workflow_run_id))
    },
  })
  return (
    <AddForm
      label="Run workflow"
      ready={isCurrent}
      pending={start.isPending}
      onAdd={() => start.mutateAsync().catch(() => undefined)}
    >
      {workflow.inputs.map(input => (
        <InputField
          key={input.name}
          input={input}
          value={values[input.name] ?? ''}
          onChange={value => setValues(known => ({ ...known, [input.name]: value }))}
        />
      ))}
      {start.error ? (
        <p role="alert" className={styles.startProblem}>
          {readFailure(start.error).message}
        </p>
      ) : null}
    </AddForm>
  )
}

const initialValue = ({ type, default: given, required, options }: Input): string => {
  if (type === 'boolean') return given === 'true' ? 'true' : 'false'
  return type === 'choice' && required && !given ? (options[0] ?? '') : given
}

interface InputFieldProps {
  input: Input
  value: string
  onChange: (value: string) => void
}

function InputField({ input, value, onChange }: InputFieldProps): ReactNode {
  const { name, type, description, required, options } = input
  if (type === 'boolean') {
    return (
      <CheckField
        label={description || name}
        caption={description ? <code>{name}</code> : undefined}
        checked={value === 'true'}
        onChange={event => onChange(String(event.target.checked))}
      />
    )
  }
  if (type === 'choice') {
    return (
      <FormControl>
        <FormControl.Label>{labelOf(input)}</FormControl.Label>
        <Select value={value} onChange={event => onChange(event.target.value)}>
          {required ? null : <Select.Option value="">None</Select.Option>}
          {options.map(option => (
            <Select.Option key={option} value={option}>
              {option}
            </Select.Option>
          ))}
        </Select>
        {description ? (
          <FormControl.Caption>
            <code>{name}</code>
          </FormControl.Caption>
        ) : null}
      </FormControl>
    )
  }
  return (
    <TextField
      label={description || name}
      caption={description ? <code>{name}</code> : undefined}
      optional={!required}
      inputMode={type === 'number' ? 'decimal' : undefined}
      autoComplete="off"
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  )
}

const labelOf = ({ name, description, required }: Input): string =>
  required ? description || name : `${description || name} (optional)`
