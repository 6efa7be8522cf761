'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { Panel } from '@/app/_components/box'
import { CheckField, TextField } from '@/app/_components/fields'
import { FormControl, Select } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { type RepoPath, runPath } from '@/app/_lib/paths'
import { branchNamesQuery } from '@/app/_lib/queries/refs'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import { isolated, visibleLine } from '@/app/_lib/visible-text'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { DispatchForm } from '@/server/triggers/schema'
import styles from './actions.module.css'
import { dispatchQuery } from './queries'

type FoundWorkflow = DispatchForm['workflows'][number]
type Input = FoundWorkflow['inputs'][number]

interface StartRunProps {
  repository: { full_name: string; owner: { login: string }; name: string; default_branch: string }
}

/** Form that manually starts a workflow from a branch or tag, with fields for its inputs. */
export function StartRun({ repository }: StartRunProps): ReactNode {
  const path = { owner: repository.owner.login, repo: repository.name }
  const [ref, setRef] = useState(repository.default_branch)
  const address = useSearchParams()
  const [selected, setSelected] = useState(address.get('workflow'))
  // By input name, so that values are kept when another branch or workflow is selected.
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const asked = useDebounced(ref.trim(), 300)
  const branches = useQuery(branchNamesQuery(path))
  const form = useQuery(dispatchQuery(path, asked))
  const [shown, setShown] = useState(form.data)
  if (form.data && form.data !== shown) setShown(form.data)
  const names = useId()
  const ready = shown?.workflows.filter(({ problem }) => problem === null) ?? []
  const workflow = ready.find(({ file }) => file === selected) ?? ready[0]
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
        {shown && shown.workflows.length > 0 ? (
          <WorkflowSelect workflows={shown.workflows} selected={workflow?.file} onSelect={setSelected} />
        ) : null}
        <p role="status" className={styles.startNote}>
          {shown ? noteOn(shown) : form.isPending ? 'Loading workflows…' : ''}
        </p>
      </div>
      {workflow ? (
        <StartForm
          // The key resets errors that belong to another workflow.
          key={`${asked} ${workflow.file}`}
          path={path}
          repository={repository}
          gitRef={asked}
          isCurrent={form.data !== undefined && asked === ref.trim()}
          workflow={workflow}
          typed={typed}
          onType={(name, value) => setTyped(known => ({ ...known, [name]: value }))}
        />
      ) : null}
    </Panel>
  )
}

function noteOn({ workflows }: DispatchForm): ReactNode {
  if (workflows.length === 0) {
    return (
      <>
        This branch or tag has no workflows with <code>on: workflow_dispatch</code>.
      </>
    )
  }
  return workflows.some(({ problem }) => problem === null) ? '' : 'None of these workflows can be run.'
}

interface WorkflowSelectProps {
  workflows: readonly FoundWorkflow[]
  selected: string | undefined
  onSelect: (file: string) => void
}

function WorkflowSelect({ workflows, selected, onSelect }: WorkflowSelectProps): ReactNode {
  return (
    <FormControl>
      <FormControl.Label>Workflow</FormControl.Label>
      <Select block value={selected ?? ''} onChange={event => onSelect(event.target.value)}>
        {selected === undefined ? <option value="">None</option> : null}
        {workflows.map(({ file, name, problem }) => (
          <option key={file} value={file} disabled={problem !== null}>
            {name.endsWith(`/${file}`) ? visibleLine(file) : `${isolated(name)} (${visibleLine(file)})`}
            {problem ? `: ${problem}` : ''}
          </option>
        ))}
      </Select>
    </FormControl>
  )
}

interface StartFormProps {
  path: RepoPath
  repository: { full_name: string }
  gitRef: string
  /** Whether the workflow belongs to the current ref and not to the previous one. */
  isCurrent: boolean
  workflow: FoundWorkflow
  typed: Readonly<Record<string, string>>
  onType: (name: string, value: string) => void
}

function StartForm(props: StartFormProps): ReactNode {
  const { path, repository, gitRef, isCurrent, workflow, typed, onType } = props
  const router = useRouter()
  const values = Object.fromEntries(workflow.inputs.map(input => [input.name, valueIn(input, typed)]))
  const start = useMutation({
    mutationFn: () =>
      trpc.workflows.dispatch.mutate({
        ...path,
        // The ID is encoded as in an API path.
        workflow_id: encodeURIComponent(workflow.file),
        ref: gitRef,
        inputs: values,
        return_run_details: true,
      }),
    onSuccess: run => {
      toast.success(`Started ${isolated(workflow.name)}`)
      if (run) router.push(runPath(repository, run.workflow_run_id))
      // The tabs above count the run.
      refreshPage()
    },
  })
  const failure = start.error ? readFailure(start.error) : undefined
  const named = /^inputs\.(.+)/s.exec(failure?.field ?? '')?.[1]
  const wrong = workflow.inputs.find(({ name, type }) => name === named && type !== 'boolean')
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
          onChange={value => {
            onType(input.name, value)
            if (!start.isPending) start.reset()
          }}
          problem={input === wrong ? failure?.message : undefined}
        />
      ))}
      {failure && !wrong ? (
        <p role="alert" className={styles.startProblem}>
          {/* The workflow may have other inputs since. */}
          {named ? `${named}: ` : ''}
          {failure.message}
        </p>
      ) : null}
    </AddForm>
  )
}

/** Returns the value typed for an input of this name if it is valid here, or the input's initial value. */
function valueIn(input: Input, typed: Readonly<Record<string, string>>): string {
  const { name, type, default: defaultValue, required, options } = input
  const value = Object.hasOwn(typed, name) ? typed[name] : undefined
  const allowed = type === 'boolean' ? ['true', 'false'] : required ? options : ['', ...options]
  const isFree = type !== 'boolean' && type !== 'choice'
  if (value !== undefined && (isFree || allowed.includes(value))) return value
  if (type === 'boolean') return defaultValue === 'true' ? 'true' : 'false'
  return type === 'choice' && required && !defaultValue ? (options[0] ?? '') : defaultValue
}

interface InputFieldProps {
  input: Input
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}

function InputField({ input, value, onChange, problem }: InputFieldProps): ReactNode {
  const { name, type, description, required, options } = input
  const line = useRef<HTMLInputElement>(null)
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (problem) (line.current ?? select.current)?.focus()
  }, [problem])
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
        <Select
          ref={select}
          value={value}
          aria-required={required}
          onChange={event => onChange(event.target.value)}
        >
          {required ? null : <option value="">None</option>}
          {options.map(option => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </Select>
        {problem ? <FormControl.Validation variant="error">{problem}</FormControl.Validation> : null}
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
      ref={line}
      label={description || name}
      error={problem}
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
  required ? visibleLine(description || name) : `${isolated(description || name)} (optional)`
