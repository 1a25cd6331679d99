/// The programs that new apps and extensions begin with.
enum ScaffoldProgram {
  static func text(_ kind: Scaffold.Kind, in language: Scaffold.Language) -> String {
    switch language {
    case .lua: lua(kind)
    case .python:
      """
      #!/usr/bin/python3
      import sluice_guest

      guest = sluice_guest.Guest()


      \(python(kind))


      guest.run()

      """
    }
  }

  private static func lua(_ kind: Scaffold.Kind) -> String {
    switch kind {
    case .app:
      """
      app.received(function(item)
        log("got " .. (item.text or item.type))
      end)

      app.provides(function() return "hello" end)

      """
    case .share:
      """
      share.loaded(function(item)
        local written, why = files.append("received.txt", (item.text or item.type) .. "\\n")
        if not written then return share.cancel(why.text) end
        share.complete()
      end)

      """
    case .action, .keyboard, .notificationService:
      """
      share.loaded(function(item)
        if not item.text then return share.cancel("only text can be worked on") end
        share.complete(item.text:upper())
      end)

      """
    }
  }

  private static func python(_ kind: Scaffold.Kind) -> String {
    switch kind {
    case .app:
      """
      @guest.on_receive
      def received(item, sender):
          guest.log(f"got {item.type} from {sender}")


      @guest.on_provide
      def provide(requester):
          return "hello"
      """
    case .share:
      """
      @guest.on_share
      def keep(request):
          with open("received.txt", "a") as file:
              for attachment in request.attachments:
                  file.write(attachment.load().text + "\\n")
      """
    case .action, .keyboard, .notificationService:
      """
      @guest.on_share
      def answer(request):
          return "".join(attachment.load().text for attachment in request.attachments).upper()
      """
    }
  }
}
