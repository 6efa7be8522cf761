'use client'
import { type ReactNode, useState } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { FormBanner, TextareaField } from '@/app/_components/fields'
import { Button } from '@/app/_components/primer'
import styles from './call-sheet.module.css'
import { type ApiCall, blankOf, resolved, type Schema, sampleOf, typeWords } from './description'
import { ParameterField, withCode } from './parameter-field'
import { addressOf, curlOf, type Reply, send } from './request'

export interface CallProps {
  call: ApiCall
  /** What stands before every path. */
  base: string
  schemas: Record<string, Schema>
  token: string
}

/** All about one call, with what it takes to send it. */
export function CallSheet({ call, base, schemas, token }: CallProps): ReactNode {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState(() => (call.body ? jsonText(blankOf(call.body.schema, schemas)) : ''))
  const [reply, setReply] = useState<Reply>()
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const input = { values, body }
  const address = addressOf(call, base, input)

  const submit = async (): Promise<void> => {
    const missing = call.parameters.find(({ name, required }) => required && !values[name])
    setReply(undefined)
    setProblem(missing ? `Fill in “${missing.name}” first.` : undefined)
    if (missing || isPending) return
    setPending(true)
    try {
      setReply(await send(call, address, input, token))
    } catch {
      setProblem('The server could not be reached. Check your connection and try again.')
    } finally {
      setPending(false)
    }
  }

  return (
    <div className={styles.sheet}>
      <p>
        {withCode(call.description)} {credentialWords[call.credentials]}
      </p>
      <form
        className={styles.form}
        method="post"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        {call.parameters.map(parameter => (
          <ParameterField
            key={`${parameter.in} ${parameter.name}`}
            parameter={parameter}
            typeWords={typeWords(parameter.schema, schemas)}
            value={values[parameter.name] ?? ''}
            onValue={value => setValues({ ...values, [parameter.name]: value })}
          />
        ))}
        {call.body ? (
          <>
            <TextareaField
              label={`Body (${call.body.type})`}
              optional={!call.body.required}
              rows={Math.min(16, body.split('\n').length)}
              spellCheck={false}
              autoComplete="off"
              className={styles.code}
              value={body}
              onChange={event => setBody(event.target.value)}
            />
            <Fields title="What the body takes" schema={call.body.schema} schemas={schemas} />
          </>
        ) : null}
        <CommandLine command={curlOf(call, `${window.location.origin}${address}`, input)} />
        <FormBanner title="The call was not sent" message={problem} />
        <div>
          <Button type="submit" variant={call.method === 'DELETE' ? 'danger' : 'default'} loading={isPending}>
            Send
          </Button>
        </div>
      </form>
      <div role="status">{reply ? <ReplyView id={call.id} reply={reply} /> : null}</div>
      <Answers call={call} schemas={schemas} />
    </div>
  )
}

const credentialWords = {
  needed: 'Only with a token or a password.',
  welcome: 'Anybody may call it; with a token it tells what its owner may see.',
  none: 'Anybody may call it.',
}

const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

function ReplyView({ id, reply }: { id: string; reply: Reply }): ReactNode {
  return (
    <div className={styles.part}>
      <h4 className={styles.title}>Answer</h4>
      <p>
        <strong className={reply.ok ? styles.good : styles.bad}>{reply.status}</strong> after{' '}
        {reply.milliseconds} ms
      </p>
      <dl className={styles.headers}>
        {reply.headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}:</dt> <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {reply.body ? <Listing label={`Body of the answer to ${id}`} text={reply.body} /> : null}
    </div>
  )
}

/** Named by the call too: several may be open, and regions of a page are told apart by their names. */
function Listing({ label, text }: { label: string; text: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has no other way to scroll it
    <section className={styles.listing} tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  )
}

interface FieldsProps {
  title: string
  schema: Schema
  schemas: Record<string, Schema>
}

function Fields({ title, schema, schemas }: FieldsProps): ReactNode {
  const { properties = {}, required = [] } = resolved(schema, schemas)
  const fields = Object.entries(properties)
  if (fields.length === 0) return null
  return (
    <div className={styles.part}>
      <h4 className={styles.title}>{title}</h4>
      <ul className={styles.fields}>
        {fields.map(([name, field]) => (
          <li key={name}>
            <code className={styles.name}>{name}</code>{' '}
            <span className={styles.type}>
              {typeWords(field, schemas)}
              {required.includes(name) ? ', required' : ''}
            </span>
            {field.description ? <> {withCode(field.description)}</> : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Answers({ call, schemas }: { call: ApiCall; schemas: Record<string, Schema> }): ReactNode {
  return (
    <div className={styles.part}>
      <h4 className={styles.title}>Answers</h4>
      <ul className={styles.fields}>
        {call.answers.map(([status, { description, content, headers }]) => {
          const [type, { schema } = {}] = Object.entries(content ?? {})[0] ?? []
          return (
            <li key={status}>
              <code className={styles.name}>{status}</code> {withCode(description ?? '')}{' '}
              {Object.keys(headers ?? {}).map(name => (
                <span key={name} className={styles.type}>
                  {name}{' '}
                </span>
              ))}
              {schema ? (
                <span className={styles.type}>{typeWords(schema, schemas)}</span>
              ) : (
                <span className={styles.type}>{type ?? 'no body'}</span>
              )}
              {schema && status.startsWith('2') ? (
                <Listing
                  label={`Sample of ${status} of ${call.id}`}
                  text={jsonText(sampleOf(schema, schemas))}
                />
              ) : null}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
