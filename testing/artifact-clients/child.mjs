// Runs the version of GitHub's artifact client that the first argument names, and calls its methods for the
// parent process.
const { DefaultArtifactClient } = await import(process.argv[2] ?? '').then(module =>
  'DefaultArtifactClient' in module ? module : module.default,
)
const client = new DefaultArtifactClient()

process.on('message', async ({ environment, id, method, args }) => {
  // The client reads its environment variables with each call.
  if (environment) return void Object.assign(process.env, environment)
  const started = performance.now()
  const outcome = await client[method](...args).then(
    value => ({ value }),
    error => ({ error: `${error.name}: ${error.message}` }),
  )
  process.send?.({ id, ...outcome, ms: performance.now() - started })
})
process.send?.({ id: 'ready' })
