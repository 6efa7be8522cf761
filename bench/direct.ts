// The product without its launcher: git is started by the server itself.
import '@/server/site'
