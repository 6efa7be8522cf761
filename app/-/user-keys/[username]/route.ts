// `/{username}.keys` is rewritten to here, see next.config.mjs.
export { keysTextRoute as GET, keysTextRoute as HEAD } from '@/server/api/authorized-keys/route'
